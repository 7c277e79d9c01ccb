use proptest::prelude::*;

use super::*;

/// A source that gives its pieces one a read.
struct Pieces(std::collections::VecDeque<Vec<u8>>);

impl Pieces {
    fn of<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self(pieces.into_iter().filter(|piece| !piece.is_empty()).map(<[u8]>::to_vec).collect())
    }
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        buffer: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<io::Result<()>> {
        if let Some(mut piece) = self.0.pop_front() {
            let rest = piece.split_off(piece.len().min(buffer.remaining()));
            buffer.put_slice(&piece);
            if !rest.is_empty() {
                self.0.push_front(rest);
            }
        }
        std::task::Poll::Ready(Ok(()))
    }
}

async fn frames(source: Pieces, max_bytes: usize) -> (Vec<Frame>, usize) {
    let mut reader = FrameReader::new(source, max_bytes);
    let (mut frames, mut widest) = (Vec::new(), 0);
    while let Some(frame) = reader.next().await.expect("the source cannot fail") {
        widest = widest.max(reader.buffer.capacity());
        frames.push(frame);
    }
    (frames, widest)
}

fn message(text: &str) -> Frame {
    Frame::Message(Bytes::copy_from_slice(text.as_bytes()))
}

fn oversized(id: Option<&str>) -> Frame {
    Frame::Oversized { id: id.map(|id| id.as_bytes().to_vec()), has_method: false }
}

#[tokio::test]
async fn lines_become_frames_however_they_are_cut() {
    let long = format!("{{\"id\":\"a-1\",\"x\":\"{}\"}}\n{{}}\n", "y".repeat(300));
    let long_request = format!("{{\"x\":\"{}\",\"method\":\"m\",\"id\":1}}\n", "y".repeat(300));
    let long_without_id = format!("[\"{}\"]\r\n{{}}", "y".repeat(300));
    let long_text = format!("{}\n{{}}\n", "y".repeat(300));
    let blanks = format!("{}\n{{}}\n", " ".repeat(300));
    for (name, bytes, expected) in [
        ("plain lines", "{\"a\":1}\n[2]\n", vec![message("{\"a\":1}"), message("[2]")]),
        ("CR before LF", "{}\r\n{}\r\n", vec![message("{}"), message("{}")]),
        ("byte order mark", "\u{feff}{}\n{}\n", vec![message("{}"), message("{}")]),
        ("byte order mark later on", "{}\n\u{feff}{}\n", vec![message("{}"), Frame::Garbage]),
        ("blank lines", "\n \t\r\n{}\n\n", vec![message("{}")]),
        ("blanks around", "  {\"a\" : 1} \t\n", vec![message("{\"a\" : 1}")]),
        ("banner", "server v1 ready\n{}\n", vec![Frame::Garbage, message("{}")]),
        ("a number is no message", "17\n", vec![Frame::Garbage]),
        ("last line without end", "{}\n{\"a\":1}", vec![message("{}"), message("{\"a\":1}")]),
        ("half a last line", "{}\n{\"a\":", vec![message("{}"), message("{\"a\":")]),
        (
            "line separators of Unicode",
            "{\"a\":\"\u{2028}\u{85}\"}\n",
            vec![message("{\"a\":\"\u{2028}\u{85}\"}")],
        ),
        ("too long", long.as_str(), vec![oversized(Some("\"a-1\"")), message("{}")]),
        (
            "too long a request",
            long_request.as_str(),
            vec![Frame::Oversized { id: Some(b"1".to_vec()), has_method: true }],
        ),
        ("too long without id", long_without_id.as_str(), vec![oversized(None), message("{}")]),
        ("too long and no JSON", long_text.as_str(), vec![Frame::Garbage, message("{}")]),
        ("many blanks", blanks.as_str(), vec![message("{}")]),
        ("nothing", "", vec![]),
    ] {
        let bytes = bytes.as_bytes();
        assert_eq!(frames(Pieces::of([bytes]), 200).await.0, expected, "{name}, whole");
        assert_eq!(frames(Pieces::of(bytes.chunks(1)), 200).await.0, expected, "{name}, byte by byte");
        assert_eq!(frames(Pieces::of(bytes.chunks(7)), 200).await.0, expected, "{name}, in sevens");
    }
}

#[tokio::test]
async fn the_limit_counts_the_message_alone() {
    for (name, ending) in [("LF", "\n"), ("CR LF", "\r\n"), ("blanks", "  \n"), ("none", "")] {
        for (length, fits) in [(199, true), (200, true), (201, false)] {
            let text = format!("[{}]", "1".repeat(length - 2));
            let line = format!("{text}{ending}");
            let expected = if fits { message(&text) } else { oversized(None) };
            assert_eq!(frames(Pieces::of([line.as_bytes()]), 200).await.0, [expected], "{name}, {length}");
        }
    }
}

#[tokio::test]
async fn a_line_without_end_is_not_kept() {
    let body = vec![b'x'; 1 << 16];
    let mut pieces: Vec<&[u8]> = vec![b"{\"a\":\""];
    pieces.extend(std::iter::repeat_n(body.as_slice(), 400)); // 25 MiB
    pieces.push(b"\",\"id\":7}\n{}\n");
    let (frames, widest) = frames(Pieces::of(pieces), 1 << 20).await;
    assert_eq!(frames, [oversized(Some("7")), message("{}")]);
    assert!(widest <= 4 << 20, "the buffer grew to {widest}");
}

#[tokio::test]
async fn a_big_message_does_not_keep_its_buffer() {
    let big = format!("[\"{}\"]\n{{}}\n", "x".repeat(8 << 20));
    let mut reader = FrameReader::new(Pieces::of([big.as_bytes()]), 16 << 20);
    assert!(matches!(reader.next().await, Ok(Some(Frame::Message(_)))));
    assert!(reader.buffer.capacity() <= KEPT_BYTES, "{}", reader.buffer.capacity());
    assert_eq!(reader.next().await.expect("the source cannot fail"), Some(message("{}")));
}

#[tokio::test]
async fn short_messages_share_their_buffer() {
    let lines: Vec<&[u8]> = std::iter::repeat_n(b"{\"a\":\"0123456789\"}\n".as_slice(), 1000).collect();
    let mut reader = FrameReader::new(Pieces::of(lines), 1000);
    let mut kept = Vec::new();
    let mut buffers = 0;
    let mut last = reader.buffer.as_ptr();
    while let Some(Frame::Message(message)) = reader.next().await.expect("the source cannot fail") {
        kept.push(message);
        let end = reader.buffer.as_ptr();
        buffers += usize::from(end.addr().abs_diff(last.addr()) > 1000);
        last = end;
    }
    assert_eq!(kept.len(), 1000);
    assert!(buffers <= 3, "{buffers} buffers for 19 KB");
}

#[tokio::test]
async fn a_dropped_read_loses_nothing() {
    let (mut near, far) = tokio::io::duplex(4);
    let writer = tokio::spawn(async move {
        for piece in b"{\"id\":1,\"a\":\"0123456789\"}\n{}\n".chunks(3) {
            tokio::io::AsyncWriteExt::write_all(&mut near, piece).await.expect("the reader lives");
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    });
    let mut reader = FrameReader::new(far, 100);
    let mut frames = Vec::new();
    loop {
        match tokio::time::timeout(std::time::Duration::from_micros(200), reader.next()).await {
            Ok(Ok(Some(frame))) => frames.push(frame),
            Ok(Ok(None)) => break,
            Ok(Err(error)) => panic!("{error}"),
            Err(_) => {}
        }
    }
    writer.await.expect("no panic");
    assert_eq!(frames, [message("{\"id\":1,\"a\":\"0123456789\"}"), message("{}")]);
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_give_the_same_frames(
        bytes in proptest::collection::vec(
            prop_oneof![Just(b'\n'), Just(b'\r'), Just(b' '), Just(b'{'), Just(b'"'), any::<u8>()], 0..400),
        cut in 1usize..50,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (whole, _) = runtime.block_on(frames(Pieces::of([bytes.as_slice()]), 60));
        let (cut, _) = runtime.block_on(frames(Pieces::of(bytes.chunks(cut)), 60));
        prop_assert_eq!(&whole, &cut);
        for frame in &whole {
            if let Frame::Message(message) = frame {
                prop_assert!(message.len() <= 60 && !message.contains(&b'\n'));
            }
        }
    }
}
