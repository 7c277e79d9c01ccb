//! Overlaps are resolved once: by a total order and by union.
//!
//! In: findings in any order, overlapping. Out: findings sorted by start whose hulls do not overlap. Findings that
//! share a byte become one that covers all of them; the strongest names it, then the longer, then the earlier
//! category. Invariant: no byte that was covered is left uncovered, and the result does not depend on the order
//! of the input.

use cloakgate_vocab::{Finding, Span};

/// Joins two lists of findings of one text; the result is sorted by start and its hulls do not overlap.
#[must_use]
pub fn merge(mut findings: Vec<Finding>, more: Vec<Finding>) -> Vec<Finding> {
    findings.extend(more);
    resolve(findings)
}

/// Resolves overlaps.
pub(crate) fn resolve(mut findings: Vec<Finding>) -> Vec<Finding> {
    if findings.is_empty() {
        return findings;
    }
    findings.retain(|finding| !finding.hull().is_empty());
    findings.sort_by(|one, other| {
        let (a, b) = (one.hull(), other.hull());
        a.start()
            .cmp(&b.start())
            .then(b.end().cmp(&a.end()))
            .then(rank(other).cmp(&rank(one)))
            .then(one.detector.cmp(&other.detector))
            .then(one.pieces.len().cmp(&other.pieces.len()))
            .then(one.decoded.is_none().cmp(&other.decoded.is_none()))
    });
    let mut resolved: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        let finding = match resolved.pop_if(|last| last.hull().overlaps(finding.hull())) {
            Some(last) => merged(last, finding),
            None => finding,
        };
        resolved.push(finding);
    }
    resolved
}

type Rank = (cloakgate_vocab::Strength, usize, std::cmp::Reverse<cloakgate_vocab::Category>);

fn rank(finding: &Finding) -> Rank {
    (finding.strength, finding.hull().len(), std::cmp::Reverse(finding.category))
}

/// One finding that covers both.
fn merged(one: Finding, other: Finding) -> Finding {
    let hull = one.hull().union(other.hull());
    let (mut winner, loser) = if rank(&one) >= rank(&other) { (one, other) } else { (other, one) };
    if winner.hull() == hull {
        // It covers the other already; pieces stay as the winner has them, if the other adds nothing between them.
        if loser.pieces.iter().all(|piece| winner.pieces.iter().any(|mine| mine.contains(*piece))) {
            return winner;
        }
    } else {
        winner.decoded = None;
    }
    if loser.hull() == hull && winner.hull() != hull {
        // The text of the whole is what the other one saw.
        winner.decoded = loser.decoded;
    }
    winner.pieces = union_pieces(winner.pieces, &loser.pieces);
    winner
}

/// Pieces that cover both lists, joined where they overlap.
fn union_pieces(mut pieces: Vec<Span>, more: &[Span]) -> Vec<Span> {
    pieces.extend_from_slice(more);
    pieces.sort();
    let mut joined: Vec<Span> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match joined.last_mut() {
            Some(last) if last.overlaps(piece) || last.contains(piece) => *last = last.union(piece),
            _ => joined.push(piece),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Detector, Finding, Sensitive, Span, Strength};

    use super::resolve;

    fn finding(category: Category, start: usize, end: usize, strength: Strength) -> Finding {
        Finding::new(category, Span::new(start, end).unwrap(), Detector("test"), strength)
    }

    fn shown(findings: &[Finding]) -> Vec<(Category, usize, usize)> {
        findings.iter().map(|f| (f.category, f.hull().start(), f.hull().end())).collect()
    }

    #[test]
    fn overlapping_findings_become_their_union_named_by_the_strongest() {
        let list = vec![
            finding(Category::Phone, 0, 8, Strength::Shape),
            finding(Category::CreditCard, 4, 12, Strength::Checked),
            finding(Category::Person, 12, 20, Strength::Context),
            finding(Category::Email, 30, 40, Strength::Checked),
            finding(Category::Person, 30, 35, Strength::Known),
            finding(Category::Ssn, 50, 50, Strength::Checked),
        ];
        let expected =
            vec![(Category::CreditCard, 0, 12), (Category::Person, 12, 20), (Category::Email, 30, 40)];
        assert_eq!(shown(&resolve(list.clone())), expected);
        assert_eq!(shown(&resolve(list.into_iter().rev().collect())), expected);
    }

    #[test]
    fn pieces_stay_apart_and_cover_everything() {
        let mut key = finding(Category::PrivateKey, 0, 10, Strength::Checked);
        key.pieces = vec![Span::sized(0, 4), Span::sized(5, 5)];
        let inside = finding(Category::Person, 6, 8, Strength::Context);
        let resolved = resolve(vec![inside, key.clone()]);
        assert_eq!(resolved[0].pieces, key.pieces);
        let across = finding(Category::Person, 3, 6, Strength::Context);
        let resolved = resolve(vec![across, key]);
        assert_eq!(resolved[0].pieces, [Span::sized(0, 10)]);
    }

    #[test]
    fn a_decoded_value_stays_only_with_its_own_extent() {
        let mut decoded = finding(Category::Email, 2, 10, Strength::Checked);
        decoded.decoded = Some(Sensitive::new("a@example.org"));
        let same = finding(Category::Email, 2, 10, Strength::Checked);
        assert!(resolve(vec![same, decoded.clone()])[0].decoded.is_some());
        let wider = finding(Category::Person, 0, 10, Strength::Context);
        assert!(resolve(vec![wider, decoded])[0].decoded.is_none());
    }
}
