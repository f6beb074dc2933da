//! The list of tables in the lobby.

use std::collections::{BTreeMap, BTreeSet};

use quincunx_core::find;
use quincunx_games::GAMES;
use quincunx_table::protocol::{Listing, Sitting};
use quincunx_table::{Status, TableId, UserId};
use ratatui::text::{Line, Span};

use crate::look::{Hue, Look};
use crate::screens::{fitted, pointer};

/// How wide the columns are that do not grow.
const TITLE: usize = 18;
const CLOCK: usize = 13;
const NOTE: usize = 14;

/// A row of the list.
#[derive(Debug)]
pub enum Row<'a> {
    Heading(&'static str),
    /// What stands where there is no table.
    Empty(&'static str),
    Gap,
    Table {
        listing: &'a Listing,
        note: &'static str,
    },
}

/// Whether somebody sits at a table, or a seat there is kept for them.
pub fn is_mine(listing: &Listing, me: Option<UserId>) -> bool {
    me.is_some() && (sits(listing, me) || listing.kept.contains(&me))
}

fn sits(listing: &Listing, me: Option<UserId>) -> bool {
    listing.seats.iter().flatten().any(|sitting| sitting.user.is_some() && sitting.user == me)
}

/// Whether there is a seat for anybody.
fn has_room(listing: &Listing) -> bool {
    let kept = |seat: usize| listing.kept.get(seat).is_some_and(Option::is_some);
    listing.seats.iter().enumerate().any(|(seat, sitting)| sitting.is_none() && !kept(seat))
}

/// What the lobby lists: mine, those that wait, those that run; in each the most urgent and the last changed first.
pub fn rows<'a>(
    tables: &'a BTreeMap<TableId, Listing>,
    turns: &BTreeSet<TableId>,
    me: Option<UserId>,
    loaded: bool,
) -> Vec<Row<'a>> {
    let (mut mine, others): (Vec<&Listing>, Vec<&Listing>) = tables.values().partition(|listing| is_mine(listing, me));
    let rank = |listing: &Listing| match listing.status {
        Status::Playing if turns.contains(&listing.table) => 0,
        Status::Open if !sits(listing, me) => 1,
        Status::Playing => 2,
        Status::Open => 3,
        Status::Finished | Status::Aborted => 4,
    };
    mine.sort_by_key(|listing| (rank(listing), -listing.changed));
    let of_status = |status: Status| {
        let mut listed: Vec<&Listing> = others.iter().copied().filter(|listing| listing.status == status).collect();
        listed.sort_by_key(|listing| -listing.changed);
        listed
    };
    let mut open = of_status(Status::Open);
    open.retain(|listing| has_room(listing));
    let note_of_mine = |listing: &Listing| match rank(listing) {
        0 => "your turn",
        1 => "kept for you",
        2 => "you play",
        3 => "you wait",
        _ => result(listing, me),
    };
    let mut rows = Vec::new();
    let mut section = |title, nothing, listed: Vec<&'a Listing>, note: &dyn Fn(&Listing) -> &'static str| {
        if !rows.is_empty() {
            rows.push(Row::Gap);
        }
        rows.push(Row::Heading(title));
        if listed.is_empty() {
            rows.push(Row::Empty(if loaded { nothing } else { ".." }));
        }
        rows.extend(listed.into_iter().map(|listing| Row::Table { listing, note: note(listing) }));
    };
    section("My games", "None is on.", mine, &note_of_mine);
    section("Waiting for players", "No table waits right now; n sets one up.", open, &|_| "a free seat");
    section("Running games", "Nobody plays in public at the moment.", of_status(Status::Playing), &|_| "to watch");
    rows
}

/// How a finished game went for somebody.
fn result(listing: &Listing, me: Option<UserId>) -> &'static str {
    let is_me = |sitting: &Option<Sitting>| sitting.as_ref().is_some_and(|sitting| sitting.user == me);
    let seat = listing.seats.iter().position(is_me).and_then(|seat| u8::try_from(seat).ok());
    match (&listing.winners, seat) {
        (Some(winners), _) if winners.is_empty() => "a draw",
        (Some(winners), Some(seat)) if winners.contains(&seat) => "you won",
        (Some(_), Some(_)) => "you lost",
        _ => "over",
    }
}

impl<'a> Row<'a> {
    pub fn table(&self) -> Option<&'a Listing> {
        match self {
            Self::Table { listing, .. } => Some(listing),
            _ => None,
        }
    }

    pub fn line(&self, chosen: bool, width: u16, look: Look) -> Line<'static> {
        match self {
            Self::Heading(title) => Line::styled(*title, look.title()),
            Self::Empty(text) => Line::styled(format!("  {text}"), look.hue(Hue::Quiet)),
            Self::Gap => Line::default(),
            Self::Table { listing, note } => table_line(listing, note, chosen, width, look),
        }
    }
}

fn table_line(listing: &Listing, note: &'static str, chosen: bool, width: u16, look: Look) -> Line<'static> {
    let title = find(GAMES, &listing.game).map_or(listing.game.as_str(), |kind| kind.title());
    let players = usize::from(width).saturating_sub(2 + TITLE + CLOCK + NOTE);
    let name = |sitting: &Option<Sitting>| match sitting {
        Some(sitting) if sitting.user.is_none() => format!("engine {}", sitting.name),
        Some(sitting) => sitting.name.clone(),
        None => "..".to_owned(),
    };
    let names: Vec<String> = listing.seats.iter().map(name).collect();
    let own = if listing.options.is_empty() { "" } else { " +" };
    let note_style = if note == "your turn" || note == "kept for you" { look.target() } else { look.hue(Hue::Quiet) };
    let line = Line::from(vec![
        pointer(chosen, look),
        fitted(&format!("{title}{own}"), TITLE, 1).into(),
        fitted(&names.join(", "), players, 1).into(),
        Span::styled(fitted(&clock(listing), CLOCK, 1), look.hue(Hue::Quiet)),
        Span::styled(fitted(note, NOTE, 1), note_style),
    ]);
    if chosen { line.patch_style(look.cursor()) } else { line }
}

fn clock(listing: &Listing) -> String {
    let class = match listing.clock.as_str() {
        "none" => "no clock",
        "correspondence" => "days",
        other => other,
    };
    if listing.rated { format!("{class}, rated") } else { class.to_owned() }
}
