//! Our own standard input and output, towards a client that started us.
//!
//! Invariant: where they are pipes or sockets they are waited for by the reactor, without a thread between;
//! a stream that is shared with the error output is left as it was found, for log lines must not meet a stream
//! that refuses to wait. Not here: framing.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Standard input.
pub struct StandardInput(Pin<Box<dyn AsyncRead + Send>>);

/// Standard output.
pub struct StandardOutput(Pin<Box<dyn AsyncWrite + Send>>);

/// Our standard streams. To be called once, inside a runtime, by whoever owns the process.
///
/// # Errors
/// When the operating system does not hand them out.
pub fn standard_streams() -> io::Result<(StandardInput, StandardOutput)> {
    #[cfg(unix)]
    {
        unix::standard_streams()
    }
    #[cfg(not(unix))]
    {
        Ok((StandardInput(Box::pin(tokio::io::stdin())), StandardOutput(Box::pin(tokio::io::stdout()))))
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    use std::os::unix::net::UnixStream as BlockingUnixStream;

    use tokio::net::UnixStream;
    use tokio::net::unix::pipe;

    use super::{StandardInput, StandardOutput};

    pub(super) fn standard_streams() -> io::Result<(StandardInput, StandardOutput)> {
        let errors = Stream::of(io::stderr().as_fd())?;
        let input = Stream::of(io::stdin().as_fd())?;
        let output = Stream::of(io::stdout().as_fd())?;
        let input = match input.kind() {
            Kind::Pipe if !input.is(&errors) => {
                StandardInput(Box::pin(pipe::Receiver::from_owned_fd(input.descriptor)?))
            }
            Kind::Socket if !input.is(&errors) => StandardInput(Box::pin(input.into_socket()?)),
            _ => StandardInput(Box::pin(tokio::io::stdin())),
        };
        let output = match output.kind() {
            Kind::Pipe if !output.is(&errors) => {
                StandardOutput(Box::pin(pipe::Sender::from_owned_fd(output.descriptor)?))
            }
            Kind::Socket if !output.is(&errors) => StandardOutput(Box::pin(output.into_socket()?)),
            _ => StandardOutput(Box::pin(tokio::io::stdout())),
        };
        Ok((input, output))
    }

    enum Kind {
        Pipe,
        Socket,
        Other,
    }

    struct Stream {
        descriptor: OwnedFd,
        metadata: std::fs::Metadata,
    }

    impl Stream {
        fn of(descriptor: BorrowedFd<'_>) -> io::Result<Self> {
            let descriptor = descriptor.try_clone_to_owned()?;
            let file = File::from(descriptor);
            let metadata = file.metadata()?;
            Ok(Self { descriptor: file.into(), metadata })
        }

        fn kind(&self) -> Kind {
            let file_type = self.metadata.file_type();
            if file_type.is_fifo() {
                Kind::Pipe
            } else if file_type.is_socket() {
                Kind::Socket
            } else {
                Kind::Other
            }
        }

        fn is(&self, other: &Self) -> bool {
            (self.metadata.dev(), self.metadata.ino()) == (other.metadata.dev(), other.metadata.ino())
        }

        /// Clients written for Node give sockets for standard streams.
        fn into_socket(self) -> io::Result<UnixStream> {
            let socket = BlockingUnixStream::from(self.descriptor);
            socket.set_nonblocking(true)?;
            UnixStream::from_std(socket)
        }
    }
}

impl AsyncRead for StandardInput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_read(context, buffer)
    }
}

impl AsyncWrite for StandardOutput {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.as_mut().poll_write(context, data)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.0.as_mut().poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_shutdown(context)
    }
}
