//! The day on which a text is cloaked; it comes in as an argument.

/// A day of the calendar.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Today {
    year: u16,
    month: u8,
    day: u8,
}

impl Today {
    /// A day; `None` when there is none such.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let date = Date { year: i64::from(year), month: u32::from(month), day: u32::from(day) };
        (year > 0 && Date::from_days(date.days()) == date).then_some(Self { year, month, day })
    }

    /// Whole years from a day of birth to today; `None` when it lies ahead, or too far back for anyone to live.
    pub(crate) fn years_since(self, birth: Date) -> Option<u32> {
        let passed = (u32::from(self.month), u32::from(self.day)) >= (birth.month, birth.day);
        let years = i64::from(self.year) - birth.year - i64::from(!passed);
        u32::try_from(years).ok().filter(|years| *years <= 125)
    }

    /// The year of two digits, which is not ahead.
    pub(crate) fn full_year(self, year: u32) -> i64 {
        let century = i64::from(self.year) / 100 * 100 + i64::from(year);
        if century > i64::from(self.year) { century - 100 } else { century }
    }
}

/// A date of the Gregorian calendar.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Date {
    pub(crate) year: i64,
    pub(crate) month: u32,
    pub(crate) day: u32,
}

impl Date {
    /// Days since 1970-01-01.
    pub(crate) fn days(self) -> i64 {
        // Years begin in March, so that the day that comes and goes is the last.
        let year = self.year - i64::from(self.month <= 2);
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let month = (i64::from(self.month) + 9) % 12;
        let of_year = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// The date that lies so many days after 1970-01-01.
    pub(crate) fn from_days(days: i64) -> Self {
        let days = days + 719_468;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = era * 400 + year + i64::from(month <= 2);
        // Both lie between 1 and 31.
        Self { year, month: month as u32, day: day as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Date, Today};

    #[test]
    fn days_and_dates_are_each_other() {
        for days in (-800_000..800_000).step_by(97) {
            assert_eq!(Date::from_days(days).days(), days);
        }
        assert_eq!(Date { year: 2000, month: 3, day: 1 }.days(), 11_017);
    }

    #[test]
    fn only_days_of_the_calendar_are_days() {
        assert!(Today::new(2024, 2, 29).is_some());
        for (year, month, day) in [(2023, 2, 29), (2023, 13, 1), (2023, 0, 1), (2023, 4, 31), (0, 1, 1)] {
            assert!(Today::new(year, month, day).is_none(), "{year}-{month}-{day}");
        }
    }

    #[test]
    fn years_are_whole() {
        let today = Today::new(2026, 12, 1).expect("a day");
        let born = |year, month, day| today.years_since(Date { year, month, day });
        assert_eq!(born(1991, 12, 1), Some(35));
        assert_eq!(born(1991, 12, 2), Some(34));
        assert_eq!(born(2027, 1, 1), None);
        assert_eq!(born(1850, 1, 1), None);
        assert_eq!((today.full_year(26), today.full_year(27)), (2026, 1927));
    }
}
