//! Moments as people write them, in UTC.

use time::format_description::BorrowedFormatItem;
use time::{Date, OffsetDateTime, PrimitiveDateTime, Time};

use quincunx_table::Millis;

fn parts(text: &str) -> Vec<BorrowedFormatItem<'_>> {
    time::format_description::parse_borrowed::<2>(text).expect("the descriptions are in this file")
}

const DATE: &str = "[year]-[month]-[day]";
const TIME: &str = "[hour]:[minute]:[second]";

/// The day and the time of day.
pub(super) fn written(at: Millis) -> Option<(String, String)> {
    let moment = OffsetDateTime::from_unix_timestamp(at.div_euclid(1_000)).ok()?;
    Some((moment.format(&parts(DATE)).ok()?, moment.format(&parts(TIME)).ok()?))
}

/// Reads a day and perhaps a time of day.
pub(super) fn read(date: &str, time: Option<&str>) -> Option<Millis> {
    let date = Date::parse(date, &parts(DATE)).ok()?;
    let time = time.map_or(Some(Time::MIDNIGHT), |time| Time::parse(time, &parts(TIME)).ok())?;
    Some(PrimitiveDateTime::new(date, time).assume_utc().unix_timestamp() * 1_000)
}

#[cfg(test)]
mod tests {
    use super::{read, written};

    #[test]
    fn moments_are_written_and_read() {
        let (date, time) = written(1_700_000_000_999).expect("a date");
        assert_eq!((date.as_str(), time.as_str()), ("2023-11-14", "22:13:20"));
        assert_eq!(read(&date, Some(&time)), Some(1_700_000_000_000));
        assert_eq!(read("1970-01-02", None), Some(86_400_000));
        assert_eq!((read("2023-02-30", None), read("2023-02-03", Some("25:00:00"))), (None, None));
        assert_eq!((read("yesterday", None), written(i64::MAX)), (None, None));
    }
}
