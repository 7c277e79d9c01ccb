//! Restoring a call of 1 KB must not depend on how many tokens the session has.
//!
//! Measured: scan, read, resolve and write of one call with ten tokens, in a session of 20 tokens and in one of
//! 20,000; beside them, cloaking a result of 1 KB with ten values.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up must end")]

use bytes::Bytes;
use cloakgate_cloak::{
    CloakRequest, Destination, Finished, RestoreRequest, SessionKeys, TokenScope, Treatment, Unresolved,
    Vault, Version, finish, plan, read, restore, token_text,
};
use cloakgate_detect::{Engine, KnownValues, Reach, Settings};
use cloakgate_vault::MemoryVault;
use cloakgate_vocab::{Secret, SessionId, TokenId, UpstreamName};
use criterion::{Criterion, criterion_group, criterion_main};

/// A session with so many tokens.
struct Session {
    id: SessionId,
    keys: SessionKeys,
    vault: MemoryVault,
    engine: Engine,
    known: KnownValues,
    upstream: UpstreamName,
    runtime: tokio::runtime::Runtime,
    ids: Vec<TokenId>,
}

impl Session {
    fn with_tokens(count: usize) -> Self {
        let keys = SessionKeys::derive(&Secret::new([5; 32]));
        let known = KnownValues::new(*keys.known_key());
        let mut session = Self {
            id: "bench".parse().expect("a name"),
            keys,
            vault: MemoryVault::default(),
            engine: Engine::new(Settings::default()),
            known,
            upstream: "fs".parse().expect("a name"),
            runtime: tokio::runtime::Builder::new_current_thread().build().expect("a runtime"),
            ids: Vec::new(),
        };
        for chunk in (0..count).collect::<Vec<_>>().chunks(1000) {
            let mails: Vec<String> = chunk.iter().map(|n| format!("\"user{n}@example.org\"")).collect();
            let message = Bytes::from(format!("[{}]", mails.join(",")));
            let ids = session.cloak(&message);
            session.ids.extend(ids);
        }
        session
    }

    fn cloak(&mut self, message: &Bytes) -> Vec<TokenId> {
        let document = cloakgate_json::scan(message).expect("valid");
        let treatments = vec![Treatment::Cloak; document.len()];
        let request = CloakRequest {
            original: message,
            document: &document,
            treatments: &treatments,
            keys: &self.keys,
            engine: &self.engine,
            known: &[&self.known],
            upstream: &self.upstream,
            reach: &Reach::Everywhere,
            structured: None,
            redact: cloakgate_detect::CategorySet::none(),
            max_text_chars: None,
            written_by_model: &std::collections::HashSet::new(),
            forced: &[],
        };
        let plan = plan(&request).expect("planned");
        let wanted = plan.wanted().to_vec();
        let interned =
            self.runtime.block_on(self.vault.intern(&self.id, Version::default(), wanted)).expect("interned");
        let finished = finish(&request, &plan, &interned.ids, Vec::new()).expect("written");
        assert!(matches!(finished, Finished::Sealed(_)));
        for known in plan.wanted().iter().filter_map(|wanted| wanted.known.clone()) {
            self.known.insert(known);
        }
        interned.ids
    }

    fn restore(&self, message: &Bytes) -> usize {
        let document = cloakgate_json::scan(message).expect("valid");
        let reads = read(&RestoreRequest {
            original: message,
            document: &document,
            treatments: &vec![Treatment::Restore; document.len()],
            keys: &self.keys,
            arguments: None,
        })
        .expect("read");
        let entries =
            self.runtime.block_on(self.vault.resolve(&self.id, reads.ids().to_vec())).expect("resolved");
        let destination = Destination {
            upstream: self.upstream.clone(),
            scope: TokenScope::Session,
            unresolved: Unresolved::Refuse,
        };
        restore(&reads, &entries, &destination, Vec::new()).expect("restored").bytes().len()
    }
}

const PROSE: &str = "plain words that a note may well hold, and nothing that anybody would look for in it; ";

fn bench(criterion: &mut Criterion) {
    for count in [20, 20_000] {
        let session = Session::with_tokens(count);
        let step = session.ids.len() / 10;
        let tokens: Vec<String> = session
            .ids
            .iter()
            .step_by(step)
            .map(|id| format!("{PROSE}{}", token_text(*id, &session.keys)))
            .collect();
        let call = Bytes::from(format!("{{\"content\":\"{}\"}}", tokens.join(" ")));
        criterion.bench_function(&format!("restore 1 KB, session of {count} tokens"), |bencher| {
            bencher.iter(|| session.restore(&call));
        });
    }
    for count in [20, 20_000] {
        let mut session = Session::with_tokens(count);
        let mails: Vec<String> = (0..10).map(|n| format!("{PROSE}user{n}@example.org")).collect();
        let result = Bytes::from(format!("{{\"text\":\"{}\"}}", mails.join(" ")));
        criterion.bench_function(
            &format!("cloak 1 KB with ten values, session of {count} tokens"),
            |bencher| {
                bencher.iter(|| session.cloak(&result).len());
            },
        );
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
