//! What the sample server holds: two customers, a mail, a log. All invented.

use serde_json::{Value, json};

/// Fields of a customer in the order in which people read them.
pub(super) const FIELDS: &[&str] = &["full_name", "email", "phone", "iban", "plan"];

/// The rows of the customer table.
pub(super) fn customers() -> Value {
    json!([
        {
            "full_name": "Marie Dubois",
            "email": "marie.dubois@example.eu",
            "phone": "+33 6 39 98 12 34",
            "iban": "DE89 3704 0044 0532 0130 00",
            "plan": "plus",
        },
        {
            "full_name": "Jonas Weber",
            "email": "jonas.weber@example.com",
            "phone": "+49 30 23125 014",
            "iban": "DE02 1203 0000 0000 2020 51",
            "plan": "basic",
        },
    ])
}

/// A mail as it lies in the mailbox.
pub(super) const MAIL: &str = "\
From: \"Marie Dubois\" <MARIE.DUBOIS@EXAMPLE.EU>
Subject: order 4711

My card 4111 1111 1111 1111 was charged twice.
I talked about it with Thomas Bergmann on Monday.
Please call +33 6 39 98 12 34.
";

/// The last lines of a log.
pub(super) const LOG: &str = "\
08:14:02 login marie.dubois@example.eu
08:14:02 password=Tulip-Falls-93 refused
08:14:02 last seen at 203.0.113.7
08:14:03 request 6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b
08:14:03 build 1.30.2, commit 9fceb02d, port 8080
";
