//! Keccak-256 as Ethereum uses it (the padding before FIPS 202), for the letter case of addresses.
//!
//! In: at most 135 bytes, which is one block. Out: the digest; nothing for longer input.
//! Invariant: one permutation. Not here: SHA-3, longer messages.

const RATE: usize = 136;

const ROUND: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// Lane that the walk of rho and pi writes next, and by how much it is rotated.
const WALK: [(usize, u32); 24] = [
    (10, 1),
    (7, 3),
    (11, 6),
    (17, 10),
    (18, 15),
    (3, 21),
    (5, 28),
    (16, 36),
    (8, 45),
    (21, 55),
    (24, 2),
    (4, 14),
    (15, 27),
    (23, 41),
    (19, 56),
    (13, 8),
    (12, 25),
    (2, 43),
    (20, 62),
    (14, 18),
    (22, 39),
    (9, 61),
    (6, 20),
    (1, 44),
];

/// The digest of a message of one block.
pub(super) fn keccak256(message: &[u8]) -> Option<[u8; 32]> {
    let mut block = [0_u8; RATE];
    block.get_mut(..message.len())?.copy_from_slice(message);
    *block.get_mut(message.len())? = 0x01;
    *block.last_mut()? |= 0x80;
    let mut state = [0_u64; 25];
    for (lane, bytes) in state.iter_mut().zip(block.as_chunks::<8>().0) {
        *lane = u64::from_le_bytes(*bytes);
    }
    permute(&mut state);
    let mut digest = [0; 32];
    for (place, byte) in digest.iter_mut().zip(state.into_iter().flat_map(u64::to_le_bytes)) {
        *place = byte;
    }
    Some(digest)
}

#[expect(clippy::indexing_slicing, reason = "indices are taken modulo 5 or from a table of lanes below 25")]
fn permute(state: &mut [u64; 25]) {
    for constant in ROUND {
        let mut parity = [0_u64; 5];
        for (index, lane) in state.iter().enumerate() {
            parity[index % 5] ^= lane;
        }
        for (index, lane) in state.iter_mut().enumerate() {
            *lane ^= parity[(index + 4) % 5] ^ parity[(index + 1) % 5].rotate_left(1);
        }
        let mut carried = state[1];
        for (lane, rotation) in WALK {
            let next = state[lane];
            state[lane] = carried.rotate_left(rotation);
            carried = next;
        }
        for row in state.as_chunks_mut::<5>().0 {
            let before = *row;
            for (column, lane) in row.iter_mut().enumerate() {
                *lane = before[column] ^ (!before[(column + 1) % 5] & before[(column + 2) % 5]);
            }
        }
        state[0] ^= constant;
    }
}

#[cfg(test)]
mod tests {
    use super::keccak256;

    #[test]
    fn known_digests() {
        for (message, digest) in [
            ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
            ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
        ] {
            let found: String =
                keccak256(message.as_bytes()).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, digest);
        }
        assert!(keccak256(&[0; 135]).is_some());
        assert!(keccak256(&[0; 136]).is_none());
    }
}
