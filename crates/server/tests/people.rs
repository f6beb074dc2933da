//! Guests, accounts, sessions and bots, in memory and in SQLite.

use std::future::Future;
use std::net::IpAddr;

use quincunx_server::people::{
    Admission, BadName, MOST_BOTS, MOST_SESSIONS, MOST_TOKENS, People, PeopleError, SESSION_LASTS,
};
use quincunx_server::store::Store;
use quincunx_table::{Millis, UserKind};

const NOW: Millis = 1_700_000_000_000;
const PASSWORD: &str = "correct horse";

async fn in_both<F: Future<Output = ()>>(behaviour: impl Fn(People, Store) -> F) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sqlite = Store::sqlite(folder.path().join("quincunx.db")).await.expect("SQLite opens");
    for store in [Store::memory(), sqlite] {
        let people = People::new(store.clone()).expect("people");
        behaviour(people, store.clone()).await;
        store.close().await;
    }
}

fn home() -> IpAddr {
    [192, 0, 2, 1].into()
}

async fn register(people: &People, name: &str) -> Admission {
    people.register(name, PASSWORD, "laptop", NOW).await.expect("an account")
}

async fn log_in(people: &People, name: &str, password: &str) -> Result<Admission, PeopleError> {
    people.log_in(name, password, home(), None, "phone", NOW).await
}

async fn is_known(people: &People, admission: &Admission, now: Millis) -> bool {
    let user = people.who(admission.token.reveal(), now).await.expect("an answer");
    user.is_some_and(|user| user.id == admission.user.id)
}

#[tokio::test]
async fn a_name_is_free_again_when_nobody_can_be_that_guest_any_more() {
    in_both(|people, _| async move {
        let later = NOW + 60_001;
        let zoe = people.guest("Zoë", "", NOW).await.expect("a guest");
        assert_eq!(people.guest("Zoë", "", later).await, Err(PeopleError::NameTaken), "she is logged in");
        assert_eq!(people.register("Zoë", PASSWORD, "", later).await, Err(PeopleError::NameTaken));
        people.log_out(zoe.token.reveal(), NOW).await.expect("logged out");
        let second = people.guest("zoë", "", later).await.expect("a guest of the same name");
        assert_ne!(second.user.id, zoe.user.id);

        let run_out = later + SESSION_LASTS;
        assert_eq!(people.guest("Zoë", "", run_out - 1).await, Err(PeopleError::NameTaken));
        let account = people.register("Zoë", PASSWORD, "", run_out).await.expect("an account of that name");
        people.log_out(account.token.reveal(), run_out).await.expect("logged out");
        let much_later = run_out + 2 * SESSION_LASTS;
        assert_eq!(people.guest("Zoë", "", much_later).await, Err(PeopleError::NameTaken), "accounts stay");
        assert_eq!(people.add_bot(&account.user, "Zoë", much_later).await, Err(PeopleError::NameTaken));
    })
    .await;
}

#[tokio::test]
async fn a_guest_plays_at_once_under_a_free_name() {
    in_both(|people, _| async move {
        let guest = people.guest("  Zoë ", "a\nbrowser", NOW).await.expect("a guest");
        assert_eq!((guest.user.name.as_str(), guest.user.kind), ("Zoë", UserKind::Guest));
        assert!(is_known(&people, &guest, NOW).await);
        assert_eq!(people.guest("ZOË", "", NOW).await, Err(PeopleError::NameTaken));
        assert_eq!(people.guest("engine", "", NOW).await, Err(PeopleError::Name(BadName::Reserved)));
        let sessions = people.sessions(guest.token.reveal(), NOW).await.expect("the sessions");
        assert_eq!(sessions[0].login.label, "abrowser");
        assert_eq!(log_in(&people, "Zoë", PASSWORD).await, Err(PeopleError::WrongLogin), "a guest has no password");
        let token = guest.token.reveal();
        assert_eq!(people.delete_account(token, PASSWORD, NOW).await, Err(PeopleError::NeedsAccount));
        assert_eq!(people.change_password(token, "", PASSWORD, NOW).await, Err(PeopleError::NeedsAccount));
    })
    .await;
}

#[tokio::test]
async fn an_account_logs_in_and_out() {
    in_both(|people, store| async move {
        let laptop = register(&people, "Ada").await;
        assert_eq!(people.register("aDA", PASSWORD, "", NOW).await, Err(PeopleError::NameTaken));
        let short = people.register("Bo", "1234567", "", NOW).await.expect_err("too short");
        assert!(short.to_string().contains("8 to 256"), "{short}");
        let phone = log_in(&people, " ada ", PASSWORD).await.expect("the phone is in");
        assert_eq!(phone.user.id, laptop.user.id);
        assert_ne!(phone.token, laptop.token);
        for (name, password) in [("Ada", "wrong horse"), ("Nobody", PASSWORD), ("Ada", ""), ("\0", PASSWORD)] {
            assert_eq!(log_in(&people, name, password).await, Err(PeopleError::WrongLogin), "{name:?}");
        }
        people.log_out(phone.token.reveal(), NOW).await.expect("out");
        assert!(!is_known(&people, &phone, NOW).await);
        assert!(is_known(&people, &laptop, NOW).await);
        people.log_out(phone.token.reveal(), NOW).await.expect("out already");

        store.set_banned(laptop.user.id, Some(NOW + 1)).await.expect("a ban");
        assert_eq!(log_in(&people, "Ada", PASSWORD).await, Err(PeopleError::Banned));
        assert_eq!(log_in(&people, "Ada", "wrong horse").await, Err(PeopleError::WrongLogin));
        assert!(!is_known(&people, &laptop, NOW).await);
        assert!(is_known(&people, &laptop, NOW + 1).await);
    })
    .await;
}

#[tokio::test]
async fn sessions_are_listed_revoked_and_run_out() {
    in_both(|people, store| async move {
        let laptop = register(&people, "Ada").await;
        let phone = log_in(&people, "Ada", PASSWORD).await.expect("the phone is in");
        let sessions = people.sessions(phone.token.reveal(), NOW).await.expect("the sessions");
        let seen: Vec<_> = sessions.iter().map(|session| (session.login.label.as_str(), session.current)).collect();
        assert_eq!(seen, [("laptop", false), ("phone", true)]);
        let bo = register(&people, "Bo").await;
        let on_laptop = sessions[0].login.id;
        assert_eq!(people.revoke(bo.user.id, on_laptop).await, Ok(false), "it is not Bo's");
        assert!(is_known(&people, &laptop, NOW).await);
        assert_eq!(people.revoke(laptop.user.id, on_laptop).await, Ok(true));
        assert!(!is_known(&people, &laptop, NOW).await);

        assert!(is_known(&people, &phone, NOW + SESSION_LASTS - 1).await);
        assert!(!is_known(&people, &phone, NOW + SESSION_LASTS).await);
        let later = NOW + SESSION_LASTS;
        let again = people.log_in("Ada", PASSWORD, home(), None, "new", later).await.expect("in again");
        assert_eq!(people.sessions(again.token.reveal(), later).await.expect("the sessions").len(), 1);
        assert_eq!(store.sessions_of(again.user.id).await.expect("the sessions").len(), 1, "the old one is forgotten");
        let refused = people.sessions(phone.token.reveal(), later).await;
        assert_eq!(refused, Err(PeopleError::NotLoggedIn));
    })
    .await;
}

#[tokio::test]
async fn the_oldest_session_makes_room() {
    in_both(|people, _| async move {
        let first = register(&people, "Ada").await;
        let second = log_in(&people, "Ada", PASSWORD).await.expect("in");
        for _ in 2..=MOST_SESSIONS {
            log_in(&people, "Ada", PASSWORD).await.expect("in");
        }
        assert!(!is_known(&people, &first, NOW).await);
        assert!(is_known(&people, &second, NOW).await);
    })
    .await;
}

#[tokio::test]
async fn a_changed_token_proves_nothing() {
    in_both(|people, _| async move {
        let ada = register(&people, "Ada").await;
        let token = ada.token.reveal();
        let (login, secret) = token.split_once('.').expect("two parts");
        for place in 0..secret.len() - 1 {
            let mut changed = secret.as_bytes().to_vec();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let changed = format!("{login}.{}", String::from_utf8(changed).expect("text"));
            assert_eq!(people.who(&changed, NOW).await, Ok(None), "place {place}");
        }
        for text in ["", ".", "1.", "\0", secret, &token.repeat(1_000)] {
            assert_eq!(people.who(text, NOW).await, Ok(None));
        }
        // Another number is still a token of the same user, and ends nobody else's session.
        let bo = register(&people, "Bo").await;
        let (bos_login, _) = bo.token.reveal().split_once('.').expect("two parts");
        people.log_out(&format!("{bos_login}.{secret}"), NOW).await.expect("an answer");
        assert!(is_known(&people, &bo, NOW).await);
    })
    .await;
}

#[tokio::test]
async fn a_new_password_ends_all_other_sessions() {
    in_both(|people, _| async move {
        let laptop = register(&people, "Ada").await;
        let phone = log_in(&people, "Ada", PASSWORD).await.expect("in");
        let token = phone.token.reveal();
        let wrong = people.change_password(token, "wrong horse", "battery staple", NOW).await;
        assert_eq!(wrong, Err(PeopleError::WrongPassword));
        assert!(matches!(people.change_password(token, PASSWORD, "short", NOW).await, Err(PeopleError::Password(_))));
        assert!(is_known(&people, &laptop, NOW).await);
        people.change_password(token, PASSWORD, "battery staple", NOW).await.expect("changed");
        assert!(is_known(&people, &phone, NOW).await);
        assert!(!is_known(&people, &laptop, NOW).await);
        assert_eq!(log_in(&people, "Ada", PASSWORD).await, Err(PeopleError::WrongLogin));
        log_in(&people, "Ada", "battery staple").await.expect("in with the new one");
    })
    .await;
}

/// Those who come in while the password is changed have given the old one.
#[tokio::test]
async fn nobody_slips_in_by_the_old_password_while_it_is_changed() {
    in_both(|people, _| async move {
        let laptop = register(&people, "Ada").await;
        let changing = {
            let (people, token) = (people.clone(), laptop.token.clone());
            tokio::spawn(async move { people.change_password(token.reveal(), PASSWORD, "battery staple", NOW).await })
        };
        let entering: Vec<_> = (0..8)
            .map(|_| {
                let people = people.clone();
                tokio::spawn(async move { log_in(&people, "Ada", PASSWORD).await })
            })
            .collect();
        changing.await.expect("no panic").expect("changed");
        for entering in entering {
            match entering.await.expect("no panic") {
                Ok(entered) => assert!(!is_known(&people, &entered, NOW).await),
                Err(refusal) => assert_eq!(refusal, PeopleError::WrongLogin),
            }
        }
        assert_eq!(people.sessions(laptop.token.reveal(), NOW).await.expect("the sessions").len(), 1);
    })
    .await;
}

#[tokio::test]
async fn an_account_is_deleted_with_its_bots_by_its_password() {
    in_both(|people, store| async move {
        let ada = register(&people, "Ada").await;
        let bot = people.add_bot(&ada.user, "Ada bot", NOW).await.expect("a bot");
        let (_, token) = people.add_bot_token(&ada.user, bot.id, "home", NOW).await.expect("a token");
        let wrong = people.delete_account(ada.token.reveal(), "wrong horse", NOW).await;
        assert_eq!(wrong, Err(PeopleError::WrongPassword));
        people.delete_account(ada.token.reveal(), PASSWORD, NOW).await.expect("deleted");
        assert_eq!(people.who(token.reveal(), NOW).await, Ok(None));
        assert!(!is_known(&people, &ada, NOW).await);
        assert_eq!(store.user_named("Ada").await, Ok(None));
        assert_eq!(log_in(&people, "Ada", PASSWORD).await, Err(PeopleError::WrongLogin));
        register(&people, "Ada").await;
    })
    .await;
}

#[tokio::test]
async fn bots_belong_to_accounts_and_their_tokens_can_be_revoked() {
    in_both(|people, store| async move {
        let (ada, bo) = (register(&people, "Ada").await.user, register(&people, "Bo").await.user);
        let guest = people.guest("Guest", "", NOW).await.expect("a guest").user;
        assert_eq!(people.add_bot(&guest, "bot", NOW).await, Err(PeopleError::NeedsAccount));
        let bot = people.add_bot(&ada, "bot 1", NOW).await.expect("a bot");
        assert_eq!(people.add_bot(&bot, "bot of bot", NOW).await, Err(PeopleError::NeedsAccount));
        let (login, token) = people.add_bot_token(&ada, bot.id, "home", NOW).await.expect("a token");
        let late = NOW + 10 * SESSION_LASTS;
        assert_eq!(people.who(token.reveal(), late).await, Ok(Some(bot.clone())), "tokens do not run out");

        assert_eq!(people.add_bot_token(&bo, bot.id, "", NOW).await, Err(PeopleError::NoSuchBot));
        assert_eq!(people.bot_tokens(&bo, bot.id).await, Err(PeopleError::NoSuchBot));
        assert_eq!(people.revoke_bot_token(&bo, bot.id, login.id).await, Err(PeopleError::NoSuchBot));
        assert_eq!(people.delete_bot(&bo, bot.id).await, Err(PeopleError::NoSuchBot));
        assert_eq!(people.delete_bot(&ada, bo.id).await, Err(PeopleError::NoSuchBot), "people are no bots");

        store.set_banned(ada.id, Some(NOW + 1)).await.expect("a ban");
        assert_eq!(people.who(token.reveal(), NOW).await, Ok(None), "bots are banned with their owner");
        assert_eq!(people.bot_tokens(&ada, bot.id).await, Ok(vec![login.clone()]));
        assert_eq!(people.revoke_bot_token(&ada, bot.id, login.id).await, Ok(true));
        assert_eq!(people.who(token.reveal(), late).await, Ok(None));

        for number in 0..MOST_TOKENS {
            people.add_bot_token(&ada, bot.id, &number.to_string(), NOW).await.expect("a token");
        }
        let surplus = people.add_bot_token(&ada, bot.id, "", NOW).await;
        assert_eq!(surplus, Err(PeopleError::TooManyTokens(MOST_TOKENS)));
        for number in 1..MOST_BOTS {
            people.add_bot(&ada, &format!("bot {}", number + 1), NOW).await.expect("a bot");
        }
        assert_eq!(people.add_bot(&ada, "surplus", NOW).await, Err(PeopleError::TooManyBots(MOST_BOTS)));
        people.delete_bot(&ada, bot.id).await.expect("deleted");
        assert_eq!(people.bots(&ada).await.expect("the bots").len(), MOST_BOTS - 1);
    })
    .await;
}

#[tokio::test]
async fn guessing_from_one_place_is_limited_by_name_whether_or_not_it_exists() {
    in_both(|people, _| async move {
        register(&people, "Ada").await;
        for (name, from) in [("Ada", 1), ("Nobody", 2)] {
            let from = IpAddr::from([198, 51, 100, from]);
            for _ in 0..10 {
                let wrong = people.log_in(name, "wrong horse", from, None, "", NOW).await;
                assert_eq!(wrong, Err(PeopleError::WrongLogin), "{name}");
            }
            let refusal = people.log_in(name, "wrong horse", from, None, "", NOW).await;
            assert_eq!(refusal, Err(PeopleError::TooManyAttempts { seconds: 60 }), "{name}");
        }
        let there = IpAddr::from([198, 51, 100, 1]);
        let other_writing = people.log_in("ADA", PASSWORD, there, None, "", NOW).await;
        assert_eq!(other_writing, Err(PeopleError::TooManyAttempts { seconds: 60 }));
        people.log_in("Ada", PASSWORD, there, None, "", NOW + 60_000).await.expect("a minute later");
    })
    .await;
}

#[tokio::test]
async fn wrong_passwords_of_strangers_keep_the_owner_neither_out_of_home_nor_out_of_a_living_session() {
    let people = People::new(Store::memory()).expect("people");
    let ada = register(&people, "Ada").await;
    let token = ada.token.reveal();
    let work = IpAddr::from([203, 0, 113, 5]);
    people.log_in("Ada", PASSWORD, home(), None, "", NOW).await.expect("from home");
    let mut wrong = 0;
    let refusal = loop {
        // A few guesses from each of many addresses.
        let from = IpAddr::from([198, 51, 100, wrong / 5]);
        match people.log_in("Ada", "wrong horse", from, None, "", NOW).await {
            Err(PeopleError::WrongLogin) => wrong += 1,
            other => break other,
        }
    };
    assert_eq!((wrong, refusal), (100, Err(PeopleError::TooManyAttempts { seconds: 6 })), "many do not guess for long");
    people.log_in("Ada", PASSWORD, home(), None, "", NOW).await.expect("where she has been before");
    let elsewhere = people.log_in("Ada", PASSWORD, work, None, "", NOW).await;
    assert_eq!(elsewhere, Err(PeopleError::TooManyAttempts { seconds: 6 }));
    people.log_in("Ada", PASSWORD, work, Some(token), "", NOW).await.expect("with a session");
    people.change_password(token, PASSWORD, "another long phrase", NOW).await.expect("who is in can change it");
}

#[tokio::test]
async fn a_stolen_session_is_not_enough_to_guess_the_password() {
    let people = People::new(Store::memory()).expect("people");
    let ada = register(&people, "Ada").await;
    for _ in 0..10 {
        let wrong = people.delete_account(ada.token.reveal(), "wrong horse", NOW).await;
        assert_eq!(wrong, Err(PeopleError::WrongPassword));
    }
    let stolen = people.delete_account(ada.token.reveal(), PASSWORD, NOW).await;
    assert_eq!(stolen, Err(PeopleError::TooManyAttempts { seconds: 60 }));
    assert!(is_known(&people, &ada, NOW).await, "who is in stays in");
    log_in(&people, "Ada", PASSWORD).await.expect("and the owner comes in elsewhere");
}

#[tokio::test]
async fn names_that_look_like_one_that_is_taken_are_refused() {
    in_both(|people, _| async move {
        register(&people, "Paul").await;
        for alike in ["Pau1", "PAUI", "P\u{251}ul"] {
            assert_eq!(people.guest(alike, "", NOW).await, Err(PeopleError::NameTaken), "{alike}");
        }
        people.guest("Pablo", "", NOW).await.expect("another name");
    })
    .await;
}

#[tokio::test]
async fn the_commonest_passwords_are_refused_for_new_accounts() {
    let people = People::new(Store::memory()).expect("people");
    for common in ["password", "Qwerty123", "11111111"] {
        let refused = people.register("Ada", common, "", NOW).await;
        assert!(matches!(refused, Err(PeopleError::Password(_))), "{common}: {refused:?}");
    }
}

#[tokio::test]
async fn a_guest_becomes_an_account_and_keeps_number_and_session() {
    in_both(|people, store| async move {
        let zoe = people.guest("Zo\u{eb}", "", NOW).await.expect("a guest");
        let token = zoe.token.reveal();
        let common = people.upgrade(token, None, "password", NOW).await;
        assert!(matches!(common, Err(PeopleError::Password(_))));
        register(&people, "Ada").await;
        assert_eq!(people.upgrade(token, Some("Ada"), PASSWORD, NOW).await, Err(PeopleError::NameTaken));
        assert!(store.user(zoe.user.id).await.expect("an answer").is_some_and(|user| user.kind == UserKind::Guest));
        let account = people.upgrade(token, Some("Zoe Z"), PASSWORD, NOW).await.expect("an account");
        assert_eq!((account.id, account.kind, account.name.as_str()), (zoe.user.id, UserKind::Account, "Zoe Z"));
        assert!(is_known(&people, &zoe, NOW).await, "the session lasts");
        let again = log_in(&people, "zoe z", PASSWORD).await.expect("by password");
        assert_eq!(again.user.id, zoe.user.id);
        assert_eq!(people.upgrade(token, None, PASSWORD, NOW).await, Err(PeopleError::NoGuest));
        people.guest("Zo\u{eb}", "", NOW).await.expect("the old name is free");
    })
    .await;
}

#[tokio::test]
async fn expired_sessions_and_guests_are_removed_and_others_stay() {
    in_both(|people, store| async move {
        let old = people.guest("Old", "", NOW).await.expect("a guest");
        let ada = register(&people, "Ada").await;
        let bot = people.add_bot(&ada.user, "Ada bot", NOW).await.expect("a bot");
        let (_, token) = people.add_bot_token(&ada.user, bot.id, "", NOW).await.expect("a token");
        let later = NOW + SESSION_LASTS;
        let new = people.guest("New", "", later).await.expect("a guest");
        assert_eq!(store.remove_expired(NOW - 1, 100).await.expect("done"), 0);
        assert_eq!(store.remove_expired(NOW, 100).await.expect("done"), 3, "two sessions and a guest");
        assert!(store.user(old.user.id).await.expect("an answer").is_none());
        assert!(store.sessions_of(ada.user.id).await.expect("sessions").is_empty());
        assert!(store.user(ada.user.id).await.expect("an answer").is_some(), "accounts stay");
        assert!(people.who(token.reveal(), later).await.expect("an answer").is_some(), "tokens of bots last");
        assert!(is_known(&people, &new, later).await);
        people.guest("Old", "", later).await.expect("the name is free");
        assert_eq!(store.remove_expired(NOW, 100).await.expect("done"), 0);
    })
    .await;
}

#[tokio::test]
async fn guessing_is_limited_by_address() {
    let people = People::new(Store::memory()).expect("people");
    register(&people, "Ada").await;
    let address = |host: u16| IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host]);
    for number in 0..30 {
        // Each guess for another name, from another address of the same home.
        let refused = people.log_in(&format!("name {number}"), "wrong horse", address(number), None, "", NOW).await;
        assert_eq!(refused, Err(PeopleError::WrongLogin));
    }
    let refused = people.log_in("Ada", PASSWORD, address(99), None, "", NOW).await;
    assert_eq!(refused, Err(PeopleError::TooManyAttempts { seconds: 20 }));
    log_in(&people, "Ada", PASSWORD).await.expect("from elsewhere");
}

#[tokio::test]
async fn nothing_that_is_printed_holds_a_secret() {
    in_both(|people, store| async move {
        let ada = register(&people, "Ada").await;
        let bot = people.add_bot(&ada.user, "Ada bot", NOW).await.expect("a bot");
        let bot_token = people.add_bot_token(&ada.user, bot.id, "home", NOW).await.expect("a token");
        let sessions = people.sessions(ada.token.reveal(), NOW).await.expect("the sessions");
        let user = store.user(ada.user.id).await.expect("an answer").expect("Ada");
        let refusal = log_in(&people, "Ada", "wrong horse").await.expect_err("wrong");
        let printed = format!("{people:?} {ada:?} {bot:?} {bot_token:?} {sessions:?} {user:?} {refusal:?} {refusal}");
        let secret_of = |token: &str| token.split_once('.').expect("two parts").1.to_owned();
        let secrets = [
            PASSWORD.to_owned(),
            "wrong horse".to_owned(),
            user.password.clone().expect("a hash"),
            secret_of(ada.token.reveal()),
            secret_of(bot_token.1.reveal()),
        ];
        for secret in secrets {
            assert!(!printed.contains(&secret), "{secret} in {printed}");
        }
        assert!(user.password.is_some_and(|hash| hash.starts_with("$argon2id$") && !hash.contains(PASSWORD)));
    })
    .await;
}

#[tokio::test]
async fn a_reset_password_is_new_and_ends_all_sessions() {
    in_both(|people, _| async move {
        let ada = register(&people, "Ada").await;
        let password = people.reset_password(&ada.user).await.expect("a new password");
        assert_eq!(format!("{password:?}"), "NewPassword(hidden)");
        assert!(!is_known(&people, &ada, NOW).await);
        assert_eq!(log_in(&people, "Ada", PASSWORD).await, Err(PeopleError::WrongLogin));
        log_in(&people, "Ada", password.reveal()).await.expect("it is the password");
        let another = people.reset_password(&ada.user).await.expect("a new password");
        assert_ne!(another, password);
        assert!(password.reveal().len() >= 20);
    })
    .await;
}
