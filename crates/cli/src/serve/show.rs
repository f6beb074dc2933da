//! The settings as they are, each with its source.

use std::io::Write;

use super::settings::SETTINGS;
use super::sources::{Gathered, Source};
use crate::commands::{BOLD, QUIET};
use crate::failure::Failure;

impl Gathered {
    pub(super) fn show(&self, out: &mut impl Write) -> Result<(), Failure> {
        let lines: Vec<(&str, String, &Source)> = SETTINGS
            .iter()
            .zip(&self.sources)
            .map(|(setting, source)| (setting.key, (setting.show)(&self.settings), source))
            .map(|(key, value, source)| (key, if value.is_empty() { "none".to_owned() } else { value }, source))
            .collect();
        let wide = lines.iter().map(|(key, _, _)| key.len()).max().unwrap_or_default();
        let wide_value = lines.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or_default();
        writeln!(out, "{BOLD}{:<wide$}  {:<wide_value$}  from{BOLD:#}", "setting", "value")?;
        for (key, value, source) in lines {
            if *source == Source::Default {
                writeln!(out, "{key:<wide$}  {value:<wide_value$}  {QUIET}{source}{QUIET:#}")?;
            } else {
                writeln!(out, "{key:<wide$}  {BOLD}{value:<wide_value$}{BOLD:#}  {source}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::SETTINGS;

    #[test]
    fn the_page_about_hosting_lists_every_setting_with_its_default() {
        let mut table = "| setting | value | default | |\n| --- | --- | --- | --- |\n".to_owned();
        for setting in SETTINGS {
            let value = if setting.is_switch() { "true or false" } else { setting.placeholder };
            writeln!(table, "| `{}` | {value} | {} | {} |", setting.key, setting.default_text(), setting.help).unwrap();
        }
        let page = include_str!("../../../../docs/hosting.md");
        assert!(page.contains(&table), "docs/hosting.md must hold this table:\n\n{table}");
    }

    #[test]
    fn no_two_settings_have_one_name() {
        let mut names: Vec<String> = SETTINGS.iter().map(super::super::settings::Setting::variable).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), SETTINGS.len());
    }
}
