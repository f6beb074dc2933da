//! Users, sessions, and what stays of those who are deleted.

use quincunx_server::model::{Rating, User};
use quincunx_server::store::{AddUserError, DELETED, NewUser, Store, StoreError};
use quincunx_table::protocol::Sitting;
use quincunx_table::{Status, UserId, UserKind};

use crate::{Both, account, entry, new_table};

pub fn new_account(name: &str) -> NewUser {
    NewUser {
        name: name.to_owned(),
        kind: UserKind::Account,
        owner: None,
        password: Some("$argon2id$the-hash".to_owned()),
        at: 17,
    }
}

async fn bot(store: &Store, name: &str, owner: UserId) -> Result<User, AddUserError> {
    store.add_user(NewUser { kind: UserKind::Bot, owner: Some(owner), password: None, ..new_account(name) }).await
}

pub async fn names_are_unique_without_regard_to_case(both: Both) {
    let zoe = both.one.add_user(new_account("Zoë")).await.expect("the account");
    assert_eq!((zoe.name.as_str(), zoe.kind, zoe.created, zoe.banned), ("Zoë", UserKind::Account, 17, None));
    assert!(!format!("{zoe:?}").contains("the-hash"));
    for name in ["Zoë", "ZOË", "zoe\u{308}"] {
        assert_eq!(both.other.add_user(new_account(name)).await, Err(AddUserError::NameTaken), "{name}");
        assert_eq!(both.other.user_named(name).await.expect("an answer").as_ref(), Some(&zoe), "{name}");
    }
    let zoe_without_dots = both.one.add_user(new_account("Zoe")).await.expect("another name");
    assert_ne!(zoe_without_dots.id, zoe.id);
    assert_eq!(both.other.user(zoe.id).await.expect("an answer"), Some(zoe));
    assert_eq!(both.one.user(UserId(99)).await.expect("an answer"), None);
    assert_eq!(both.one.user_named("nobody").await.expect("an answer"), None);
    assert_eq!(both.one.add_user(new_account("Deleted")).await, Err(AddUserError::NameTaken));
}

pub async fn of_many_who_want_a_name_exactly_one_gets_it(both: Both) {
    let racing: Vec<_> = (0..20)
        .map(|number| {
            let store = both.turn(number);
            let name = if number % 3 == 0 { "ADA" } else { "ada" };
            tokio::spawn(async move { store.add_user(new_account(name)).await })
        })
        .collect();
    let mut added = Vec::new();
    for racer in racing {
        match racer.await.expect("no panic") {
            Ok(user) => added.push(user),
            Err(error) => assert_eq!(error, AddUserError::NameTaken),
        }
    }
    assert_eq!(added.len(), 1);
    assert_eq!(both.one.user_named("Ada").await.expect("an answer").as_ref(), added.first());
}

pub async fn passwords_and_bans_can_be_changed(both: Both) {
    let ada = account(&both.one, "Ada").await;
    both.one.set_password(ada, Some("another hash".to_owned())).await.expect("a new password");
    both.one.set_banned(ada, Some(500)).await.expect("a ban");
    let user = both.other.user(ada).await.expect("an answer").expect("Ada");
    assert_eq!((user.password.as_deref(), user.banned), (Some("another hash"), Some(500)));
    both.one.set_password(ada, None).await.expect("no password");
    both.one.set_banned(ada, None).await.expect("no ban");
    let user = both.other.user(ada).await.expect("an answer").expect("Ada");
    assert_eq!((user.password, user.banned), (None, None));
    assert_eq!(both.one.set_password(UserId(99), None).await, Err(StoreError::NoSuchUser));
    assert_eq!(both.one.set_banned(UserId(99), None).await, Err(StoreError::NoSuchUser));
}

pub async fn users_are_searched_page_by_page(both: Both) {
    for number in 0..25 {
        account(&both.one, &format!("Ann_{number}")).await;
        account(&both.one, &format!("Ben%{number}")).await;
    }
    let names = |users: Vec<User>| users.into_iter().map(|user| user.name).collect::<Vec<_>>();
    let mut found: Vec<User> = Vec::new();
    loop {
        let page = both.other.users("aNN", found.last().map(|user| user.id), 10).await.expect("a page");
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 10);
        found.extend(page);
    }
    assert_eq!(names(found), (0..25).map(|number| format!("Ann_{number}")).collect::<Vec<_>>());
    assert_eq!(names(both.one.users("N_7", None, 10).await.expect("a page")), ["Ann_7"]);
    assert_eq!(names(both.one.users("%7", None, 10).await.expect("a page")), ["Ben%7"]);
    assert_eq!(both.one.users("\\", None, 10).await.expect("a page"), []);
    assert_eq!(both.one.users("", None, 200).await.expect("a page").len(), 50);
}

pub async fn sessions_begin_and_end(both: Both) {
    let ada = account(&both.one, "Ada").await;
    let ben = account(&both.one, "Ben").await;
    let phone = both.one.add_session([1; 32], ada, 100, "phone").await.expect("a session");
    let laptop = both.one.add_session([2; 32], ada, 200, "laptop").await.expect("a session");
    both.one.add_session([3; 32], ben, 300, "tablet").await.expect("a session");
    assert_eq!((phone.created, phone.label.as_str()), (100, "phone"));
    assert!(both.one.add_session([3; 32], ada, 300, "the same secret").await.is_err());
    assert_eq!(both.one.add_session([4; 32], UserId(99), 300, "").await, Err(StoreError::NoSuchUser));

    let whose =
        async |secret: u8| both.other.session([secret; 32], 1_000).await.expect("an answer").map(|user| user.id);
    assert_eq!(
        [whose(1).await, whose(2).await, whose(3).await, whose(4).await],
        [Some(ada), Some(ada), Some(ben), None]
    );
    assert_eq!(both.other.sessions_of(ada).await.expect("a list"), [phone.clone(), laptop.clone()]);

    assert_eq!(both.one.end_session(ben, phone.id).await, Ok(false), "it is another's");
    assert_eq!(whose(1).await, Some(ada));
    assert_eq!(both.one.end_session(ada, phone.id).await, Ok(true));
    assert_eq!(both.one.end_session(ada, phone.id).await, Ok(false));
    assert_eq!(whose(1).await, None);
    assert_eq!(both.other.sessions_of(ada).await.expect("a list"), [laptop]);
    both.one.end_all_sessions(ada).await.expect("an end");
    assert_eq!([whose(2).await, whose(3).await], [None, Some(ben)]);
}

pub async fn the_banned_have_no_session(both: Both) {
    let ada = account(&both.one, "Ada").await;
    both.one.add_session([1; 32], ada, 100, "phone").await.expect("a session");
    both.one.set_banned(ada, Some(500)).await.expect("a ban");
    assert_eq!(both.other.session([1; 32], 499).await, Ok(None));
    let free = both.other.session([1; 32], 500).await.expect("an answer");
    assert_eq!(free.map(|user| user.id), Some(ada), "the ban has run out");
}

pub async fn the_deleted_leave_only_games(both: Both) {
    let ada = account(&both.one, "Ada").await;
    let ben = account(&both.one, "Ben").await;
    let adas_bot = bot(&both.one, "Ada's bot", ada).await.expect("a bot").id;
    assert_eq!(both.other.bots_of(ada).await.expect("a list").iter().map(|bot| bot.id).collect::<Vec<_>>(), [adas_bot]);
    let mut game = new_table("t");
    game.status = Status::Finished;
    game.winners = Some(vec![0]);
    let sitter = |user: UserId, name: &str| Some(Sitting { user: Some(user), name: name.to_owned() });
    game.seats = vec![sitter(ada, "Ada"), sitter(ben, "Ben"), sitter(adas_bot, "Ada's bot")];
    game.kept = vec![None; 3];
    both.one.append(&game.table, vec![entry(0, "{}")], Some(game.clone())).await.expect("the append");
    both.one.add_remark(&game.table, ada, "Ada", 5, "well played", false).await.expect("a remark");
    both.one.add_remark(&game.table, ben, "Ben", 6, "thanks", false).await.expect("a remark");
    both.one.add_session([1; 32], ada, 100, "phone").await.expect("a session");
    both.one.add_session([2; 32], adas_bot, 100, "token").await.expect("a token");
    both.one.set_muted(ben, ada, true).await.expect("a mute");
    let rating = Rating { value: 1_500.0, deviation: 100.0, volatility: 0.06, games: 1 };
    both.one.rate(&game.table, "trexo", "blitz", 0, &[ada, ben], |_| vec![rating; 2]).await.expect("ratings");

    both.one.delete_user(ada).await.expect("the end of Ada");

    for id in [ada, adas_bot] {
        assert_eq!(both.other.user(id).await, Ok(None));
        assert_eq!(both.other.sessions_of(id).await, Ok(Vec::new()));
    }
    assert_eq!(both.other.session([1; 32], 200).await, Ok(None));
    assert_eq!(both.other.session([2; 32], 200).await, Ok(None));
    assert_eq!(both.other.user_named("ada").await, Ok(None));
    assert_eq!(both.other.user_named(DELETED).await, Ok(None));
    assert_eq!(both.other.bots_of(ada).await, Ok(Vec::new()));
    assert_eq!(both.other.muted_by(ben).await, Ok(Vec::new()));
    assert_eq!(both.other.ratings_of(ada).await, Ok(Vec::new()));
    let board = both.other.leaderboard("trexo", "blitz", false, 0, 10).await.expect("a board");
    assert_eq!(board.iter().map(|line| line.user).collect::<Vec<_>>(), [ben]);
    assert_eq!(both.other.users("", None, 10).await.expect("a page").len(), 1);
    assert_eq!(both.one.delete_user(ada).await, Err(StoreError::NoSuchUser));
    assert_eq!(both.one.add_session([5; 32], ada, 1, "").await, Err(StoreError::NoSuchUser));
    assert_eq!(both.one.set_password(ada, None).await, Err(StoreError::NoSuchUser));
    assert!(bot(&both.one, "Another bot", ada).await.is_err());

    // Also when the table, which knows the old name, writes its summary once more.
    both.one.append(&game.table, Vec::new(), Some(game.clone())).await.expect("the summary");
    let mut shown = game.clone();
    shown.seats = vec![sitter(ada, DELETED), sitter(ben, "Ben"), sitter(adas_bot, DELETED)];
    assert_eq!(both.other.summary(&game.table).await, Ok(Some(shown)));
    let remarks = both.other.remarks(&game.table, 0, 10).await.expect("the talk");
    let said: Vec<_> = remarks.iter().map(|remark| (remark.name.as_str(), remark.text.as_str())).collect();
    assert_eq!(said, [(DELETED, "well played"), ("Ben", "thanks")]);

    let successor = account(&both.other, "ADA").await;
    assert!(successor != ada && successor != ben && successor != adas_bot, "no number is given again");
}

pub async fn mutes_can_be_set_and_taken_back(both: Both) {
    let ada = account(&both.one, "Ada").await;
    let ben = account(&both.one, "Ben").await;
    let cleo = account(&both.one, "Cleo").await;
    for other in [cleo, ben, ben] {
        both.one.set_muted(ada, other, true).await.expect("a mute");
    }
    both.one.set_muted(ben, ada, true).await.expect("a mute");
    assert_eq!(both.other.muted_by(ada).await, Ok(vec![ben, cleo]));
    for _ in 0..2 {
        both.one.set_muted(ada, ben, false).await.expect("no mute");
    }
    assert_eq!(both.other.muted_by(ada).await, Ok(vec![cleo]));
    assert_eq!(both.other.muted_by(ben).await, Ok(vec![ada]));
    assert_eq!(both.one.set_muted(ada, UserId(99), true).await, Err(StoreError::NoSuchUser));
}

pub async fn the_name_of_a_guest_who_is_gone_is_free(both: Both) {
    let guest = NewUser { kind: UserKind::Guest, password: None, ..new_account("Zoë") };
    let zoe = both.one.add_user(guest.clone()).await.expect("a guest").id;
    both.one.add_session([1; 32], zoe, 100, "phone").await.expect("a session");
    let mut game = new_table("t");
    game.seats = vec![Some(Sitting { user: Some(zoe), name: "Zoë".to_owned() }), None];
    both.one.append(&game.table, vec![entry(0, "{}")], Some(game.clone())).await.expect("the append");
    both.one.add_remark(&game.table, zoe, "Zoë", 5, "hello", false).await.expect("a remark");

    let free = async |since, living_since| both.other.free_guest_name("ZOË", since, living_since).await;
    assert_eq!(free(500, 99).await, Ok(false), "the session lives");
    assert_eq!(free(17, 100).await, Ok(false), "he is just coming in");
    assert_eq!(both.one.user(zoe).await.expect("an answer").map(|user| user.id), Some(zoe));
    assert_eq!(free(500, 100).await, Ok(true));
    assert_eq!(free(500, 100).await, Ok(false), "there is nobody of that name");
    assert_eq!(both.one.session([1; 32], 200).await, Ok(None));
    assert_eq!(both.one.user(zoe).await, Ok(None));

    let another = both.one.add_user(guest).await.expect("the name is free").id;
    assert_ne!(another, zoe);
    assert_eq!(both.other.summary(&game.table).await, Ok(Some(game.clone())), "the old guest stays in his games");
    assert_eq!(both.other.remarks(&game.table, 0, 10).await.expect("the talk")[0].name, "Zoë");
    account(&both.one, "Ada").await;
    assert_eq!(both.other.free_guest_name("Ada", 500, 500).await, Ok(false), "accounts keep their names");
}
