-- {bytes}, {number}: types; {plain}, {clustered}: how the table is kept.

-- Whose database this is.
CREATE TABLE facts (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) {plain};

-- One row a master key in use: a record that opens with that key alone.
CREATE TABLE master_keys (
    key_id {bytes} NOT NULL PRIMARY KEY,
    check_record {bytes} NOT NULL,
    created_at {number} NOT NULL
) {plain};

-- Keys of sessions, of look-ups and of the catalog, each wrapped by a master key. Erasing one erases all that it seals.
CREATE TABLE data_keys (
    id {bytes} NOT NULL PRIMARY KEY,
    tenant {bytes} NOT NULL,
    key_id {bytes} NOT NULL REFERENCES master_keys (key_id),
    wrapped {bytes} NOT NULL
) {clustered};
CREATE INDEX data_keys_by_tenant ON data_keys (tenant);
CREATE INDEX data_keys_by_master ON data_keys (key_id);

CREATE TABLE sessions (
    id {bytes} NOT NULL PRIMARY KEY REFERENCES data_keys (id) ON DELETE CASCADE,
    tenant {bytes} NOT NULL,
    server {bytes} NOT NULL,
    settings {bytes} NOT NULL,
    version {number} NOT NULL,
    state {bytes} NOT NULL,
    created_at {number} NOT NULL,
    updated_at {number} NOT NULL,
    slides_ms {number},
    expires_at {number}
) {plain};
CREATE INDEX sessions_by_tenant ON sessions (tenant, created_at, id);
CREATE INDEX sessions_by_end ON sessions (expires_at) WHERE expires_at IS NOT NULL;

-- Keyed hashes of the values of a session: by them a value is found and erased. Hashes fall anywhere in their index, so
-- each generation of a thousand or so has a small part of it to itself: what is written together lies together.
CREATE TABLE session_values (
    tenant {bytes} NOT NULL,
    generation {number} NOT NULL,
    hash {bytes} NOT NULL,
    session {bytes} NOT NULL REFERENCES data_keys (id) ON DELETE CASCADE,
    PRIMARY KEY (tenant, generation, hash, session)
) {clustered};
CREATE INDEX session_values_by_session ON session_values (session);

CREATE TABLE documents (
    kind TEXT NOT NULL,
    id {bytes} NOT NULL,
    parent {bytes} NOT NULL,
    version {number} NOT NULL,
    body {bytes} NOT NULL,
    created_at {number} NOT NULL,
    updated_at {number} NOT NULL,
    PRIMARY KEY (kind, id)
) {plain};
CREATE INDEX documents_by_parent ON documents (kind, parent, created_at, id);

CREATE TABLE counters (
    kind TEXT NOT NULL,
    id {bytes} NOT NULL,
    name TEXT NOT NULL,
    total {number} NOT NULL,
    PRIMARY KEY (kind, id, name)
) {clustered};

-- Sessions of a gateway: identities, their spellings, numbers and known values.
CREATE TABLE token_sessions (
    id {bytes} NOT NULL PRIMARY KEY REFERENCES data_keys (id) ON DELETE CASCADE,
    entries {number} NOT NULL,
    known {number} NOT NULL,
    used_at {number} NOT NULL
) {clustered};
CREATE INDEX token_sessions_by_use ON token_sessions (used_at);

CREATE TABLE token_numbers (
    scope {bytes} NOT NULL,
    category TEXT NOT NULL,
    next {number} NOT NULL,
    PRIMARY KEY (scope, category)
) {clustered};

CREATE TABLE token_identities (
    session {bytes} NOT NULL REFERENCES data_keys (id) ON DELETE CASCADE,
    hash {bytes} NOT NULL,
    category TEXT NOT NULL,
    number {number} NOT NULL,
    spellings {number} NOT NULL,
    PRIMARY KEY (session, hash)
) {clustered};

CREATE TABLE token_entries (
    session {bytes} NOT NULL REFERENCES data_keys (id) ON DELETE CASCADE,
    hash {bytes} NOT NULL,
    category TEXT NOT NULL,
    number {number} NOT NULL,
    spelling {number} NOT NULL,
    sealed {bytes} NOT NULL,
    PRIMARY KEY (session, hash)
) {clustered};
CREATE UNIQUE INDEX token_entries_by_token ON token_entries (session, category, number, spelling);

CREATE TABLE token_sources (
    session {bytes} NOT NULL REFERENCES data_keys (id) ON DELETE CASCADE,
    upstream TEXT NOT NULL,
    entries {number} NOT NULL,
    PRIMARY KEY (session, upstream)
) {clustered};

CREATE TABLE token_known (
    session {bytes} NOT NULL REFERENCES data_keys (id) ON DELETE CASCADE,
    version {number} NOT NULL,
    hash {bytes} NOT NULL,
    sealed {bytes} NOT NULL,
    PRIMARY KEY (session, version)
) {clustered};
CREATE UNIQUE INDEX token_known_by_hash ON token_known (session, hash);
