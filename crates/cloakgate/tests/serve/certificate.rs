//! A certificate for this machine that is its own authority (X.509, RFC 5280; ECDSA on P-256), so that no tool is needed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const OBJECT: u8 = 0x06;
const TEXT: u8 = 0x0c;
const UTC_TIME: u8 = 0x17;
/// Bits of the tags that the form itself numbers.
const CONTEXT: u8 = 0x80;
const CONSTRUCTED: u8 = 0x20;

/// `ecdsa-with-SHA256`, 1.2.840.10045.4.3.2.
const SIGNED_BY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
/// `id-ecPublicKey`, 1.2.840.10045.2.1.
const PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
/// `prime256v1`, 1.2.840.10045.3.1.7.
const CURVE: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
/// `id-at-commonName`, 2.5.4.3.
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
/// `id-ce-subjectAltName`, 2.5.29.17.
const OTHER_NAMES: &[u8] = &[0x55, 0x1d, 0x11];

/// A certificate for `localhost` and `127.0.0.1` and its private key, as PEM.
pub(crate) fn for_this_machine() -> (String, String) {
    let random = SystemRandom::new();
    let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
    let private = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("randomness");
    let pair = EcdsaKeyPair::from_pkcs8(algorithm, private.as_ref(), &random).expect("a key");
    let signed_by = list(SEQUENCE, &[value(OBJECT, SIGNED_BY)]);
    let common_name = list(SEQUENCE, &[value(OBJECT, COMMON_NAME), value(TEXT, b"localhost")]);
    let name = list(SEQUENCE, &[value(SET, &common_name)]);
    let years = list(SEQUENCE, &[value(UTC_TIME, b"200101000000Z"), value(UTC_TIME, b"491231235959Z")]);
    let kind = list(SEQUENCE, &[value(OBJECT, PUBLIC_KEY), value(OBJECT, CURVE)]);
    let public = list(SEQUENCE, &[kind, bits(pair.public_key().as_ref())]);
    let names = list(SEQUENCE, &[value(CONTEXT | 2, b"localhost"), value(CONTEXT | 7, &[127, 0, 0, 1])]);
    let names = list(SEQUENCE, &[value(OBJECT, OTHER_NAMES), value(OCTET_STRING, &names)]);
    let what = list(
        SEQUENCE,
        &[
            // The third version, which is counted from 0.
            value(CONTEXT | CONSTRUCTED, &value(INTEGER, &[2])),
            value(INTEGER, &[1]),
            signed_by.clone(),
            name.clone(),
            years,
            name,
            public,
            value(CONTEXT | CONSTRUCTED | 3, &list(SEQUENCE, &[names])),
        ],
    );
    let signature = pair.sign(&random, &what).expect("randomness");
    let certificate = list(SEQUENCE, &[what, signed_by, bits(signature.as_ref())]);
    (pem("CERTIFICATE", &certificate), pem("PRIVATE KEY", private.as_ref()))
}

/// A value with its tag and its length (DER).
fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).expect("short");
    let [high, low] = length.to_be_bytes();
    let head = match length {
        0..0x80 => vec![tag, low],
        0x80..0x100 => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    [&*head, content].concat()
}

fn list(tag: u8, parts: &[Vec<u8>]) -> Vec<u8> {
    value(tag, &parts.concat())
}

/// Whole bytes as a string of bits, none of which is unused.
fn bits(content: &[u8]) -> Vec<u8> {
    value(BIT_STRING, &[&[0], content].concat())
}

fn pem(label: &str, content: &[u8]) -> String {
    let text = STANDARD.encode(content);
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).expect("ASCII")).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}
