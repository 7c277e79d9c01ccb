//! The cases. Each says what holds; the last one named before a failure is the one that does not.

mod catalog;
mod keys;
mod port;
pub(crate) mod sessions;
mod starting;

use std::future::Future;
use std::pin::Pin;

use crate::world::World;

/// A case on an engine.
type Case = for<'a> fn(&'a World) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

macro_rules! cases {
    ($($module:ident::$name:ident),* $(,)?) => {
        &[$((stringify!($name), |world| Box::pin($module::$name(world)))),*]
    };
}

const CASES: &[(&str, Case)] = cases![
    sessions::what_was_created_is_loaded,
    sessions::of_two_extensions_from_one_version_one_succeeds,
    sessions::many_that_are_looked_up_at_once_are_each_told_apart,
    sessions::tenants_do_not_see_each_other,
    sessions::lists_are_paged_newest_first,
    sessions::values_are_found_and_erased_by_their_hash,
    sessions::erasing_a_tenant_leaves_the_others,
    sessions::a_session_ends_with_its_lifetime,
    sessions::use_keeps_a_sliding_session_alive,
    sessions::an_end_that_is_given_moves_no_more,
    sessions::a_failed_write_takes_no_other_with_it,
    sessions::states_of_all_sizes_come_back,
    sessions::sessions_are_bound_to_another_server,
    keys::changed_rows_are_refused,
    keys::rows_of_other_sessions_are_refused,
    keys::a_wrong_master_key_is_refused_at_start,
    keys::a_missing_key_is_made_for_an_empty_sqlite_file_only,
    keys::rotation_keeps_everything_and_retires_the_old_key,
    keys::nothing_is_kept_in_clear,
    keys::nothing_is_told_in_errors_and_debug,
    catalog::documents_change_only_from_the_version_that_was_seen,
    catalog::documents_are_listed_under_their_parent,
    catalog::changed_documents_are_refused,
    catalog::counters_add_up,
    port::every_vault_behaves_alike,
    port::two_processes_give_equal_ids,
    port::tokens_outlive_the_process_and_are_sealed,
    port::numbers_of_a_profile_are_given_once,
    port::changed_tokens_are_refused,
    port::large_batches_come_back,
    starting::a_newer_schema_is_refused_by_name,
    starting::many_that_start_at_once_are_safe,
    starting::what_one_creates_the_other_loads,
    starting::a_database_of_another_region_is_refused,
    starting::nothing_of_one_region_reaches_another,
    starting::what_is_closed_says_so,
];

pub(crate) async fn run_all(world: &World) {
    for (name, case) in CASES {
        // Shown when the case fails.
        #[expect(clippy::print_stdout, reason = "the harness shows it beside the failure")]
        {
            println!("{name}");
        }
        case(world).await;
    }
}
