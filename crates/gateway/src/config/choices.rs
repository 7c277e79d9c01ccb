//! Settings that are one of a few words.

use cloakgate_cloak::{TokenScope, Unresolved};
use cloakgate_names::{Effort, Kind, Stage};

use super::keys::Choice;

/// How far a server is trusted with values that it did not bring itself.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Trust {
    /// It keeps to this machine.
    Local,
    /// It is run by the operator.
    #[default]
    Trusted,
    /// It is run by somebody else.
    ThirdParty,
}

/// How much is logged.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum LogLevel {
    /// Everything, for looking for mistakes.
    Debug,
    /// What happens.
    #[default]
    Info,
    /// What should not have happened.
    Warn,
    /// What somebody must act on.
    Error,
    /// Nothing.
    Silent,
}

impl LogLevel {
    /// Names and levels, as the file and the command line have them.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("debug", Self::Debug),
        ("info", Self::Info),
        ("warn", Self::Warn),
        ("error", Self::Error),
        ("silent", Self::Silent),
    ];
}

/// How tokens are written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum TokenStyle {
    /// `[EMAIL_0_k7q]`, with check characters.
    #[default]
    Default,
    /// `[EMAIL_0]`, as the reference gateway writes it; numbers never repeat within a profile.
    Plain,
}

/// What a person reads where a server asks for something.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum PersonText {
    /// Tokens, as the model does.
    #[default]
    Cloak,
    /// Values.
    Real,
}

/// What happens to a request whose method the gateway does not know.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum UnknownMethods {
    /// It is refused.
    #[default]
    Refuse,
    /// It goes to the only server, every text of it cloaked and restored.
    Forward,
}

/// What happens to images, audio and other content that cannot be read.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Binary {
    /// It passes and is counted.
    #[default]
    Pass,
    /// It passes, is counted, and a line of the log says so.
    Flag,
    /// The answer that holds it becomes an error.
    Block,
}

/// What happens to personal data that the model writes without having been given it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum FreshPii {
    /// It passes within the budget, and a line of the log says how many.
    #[default]
    Report,
    /// The call is refused.
    Refuse,
}

/// What is written in the place of a value.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Operator {
    #[default]
    Token,
    Redact,
}

impl Choice for Trust {
    const WORDS: &'static [(&'static str, Self)] =
        &[("local", Self::Local), ("trusted", Self::Trusted), ("third-party", Self::ThirdParty)];
}

impl Choice for LogLevel {
    const WORDS: &'static [(&'static str, Self)] = &Self::NAMES;
}

impl Choice for TokenStyle {
    const WORDS: &'static [(&'static str, Self)] = &[("default", Self::Default), ("plain", Self::Plain)];
}

impl Choice for PersonText {
    const WORDS: &'static [(&'static str, Self)] = &[("cloak", Self::Cloak), ("real", Self::Real)];
}

impl Choice for UnknownMethods {
    const WORDS: &'static [(&'static str, Self)] = &[("refuse", Self::Refuse), ("forward", Self::Forward)];
}

impl Choice for Binary {
    const WORDS: &'static [(&'static str, Self)] =
        &[("pass", Self::Pass), ("flag", Self::Flag), ("block", Self::Block)];
}

impl Choice for FreshPii {
    const WORDS: &'static [(&'static str, Self)] = &[("report", Self::Report), ("refuse", Self::Refuse)];
}

impl Choice for Operator {
    const WORDS: &'static [(&'static str, Self)] = &[("token", Self::Token), ("redact", Self::Redact)];
}

impl Choice for Effort {
    const WORDS: &'static [(&'static str, Self)] = &Self::WORDS;
}

impl Choice for TokenScope {
    const WORDS: &'static [(&'static str, Self)] =
        &[("session", Self::Session), ("upstream", Self::Upstream)];
}

impl Choice for Unresolved {
    const WORDS: &'static [(&'static str, Self)] = &[("refuse", Self::Refuse), ("pass", Self::Pass)];
}

/// How a reference's `mode` reads.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Mode(pub(super) Operator);

impl Choice for Mode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("tokenize", Self(Operator::Token)), ("redact", Self(Operator::Redact))];
}

/// A category's switch as a word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct OnOff(pub(super) bool);

impl Choice for OnOff {
    const WORDS: &'static [(&'static str, Self)] = &[("on", Self(true)), ("off", Self(false))];
}

/// What a label of a model means.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Meaning(pub(super) Kind);

impl Choice for Meaning {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("PERSON", Self(Kind::Person)),
        ("LOCATION", Self(Kind::Place)),
        ("ORG", Self(Kind::Organisation)),
        ("NRP", Self(Kind::Group)),
    ];
}

impl Choice for Stage {
    const WORDS: &'static [(&'static str, Self)] = &[("open", Self::Open), ("every", Self::Every)];
}
