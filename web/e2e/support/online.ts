// Tables of the server, set up, joined and played as people do it.

import { act } from './boards';
import type { Person } from './person';
import { agree } from './setup';
import { seen, turn, type Pick, type Seen } from './table';
import { inWords, say } from './words';

type Wish = {
	game: string;
	options?: Record<string, string | boolean>;
	many?: number;
	/** Who may sit down: whoever has the link, or whoever sees the table in the lobby. */
	who?: 'Friends, by link' | 'Anybody';
};

/** Tells the page how one wants to be called, where it asks. */
async function introduce({ page }: Person, name: string): Promise<void> {
	const field = page.getByLabel('Your name');
	await field.or(page.getByText('You are')).first().waitFor();
	if ((await field.count()) > 0) {
		await field.fill(name);
		await field.press('Tab');
	}
}

/** Sets up a table by the form, sits down at its first seat, and gives the link that the page shows. */
export async function setUp(host: Person, name: string, { game, options = {}, many = 2, who = 'Friends, by link' }: Wish): Promise<string> {
	const { page } = host;
	await host.goTo(`/online/new?game=${game}`);
	await page.getByRole('button', { name: 'Set up' }).waitFor();
	await introduce(host, name);
	await page.getByRole('group', { name: 'With whom?' }).getByRole('button', { name: who }).click();
	const count = page.getByRole('group', { name: 'How many play?' });
	if ((await count.count()) > 0) await count.getByRole('button', { name: String(many), exact: true }).click();
	await page.getByLabel('Seats are dealt out at random').uncheck();
	await agree(page, options);
	await page.locator('form button.primary').click();
	return page.getByRole('textbox', { name: 'Link' }).inputValue();
}

/** Opens the link of a table and sits down at the first free seat. */
export async function join(person: Person, name: string, link: string): Promise<void> {
	await person.page.goto(link);
	const sit = person.page.getByRole('button', { name: /^Sit down/ }).first();
	await sit.waitFor();
	await introduce(person, name);
	await sit.click();
}

/** Finds a waiting table in the lobby and sits down at it, without ever having said a name. */
export async function joinInLobby(person: Person, title: string): Promise<void> {
	await person.goTo('/online');
	await person.page.getByRole('button', { name: new RegExp(`^Sit down\\s*: ${title}$`) }).first().click();
}

type Play = {
	pick: Pick;
	/** So many moves of each are made on the drawn board, the others in words. */
	drawn?: number;
	most?: number;
	/** What is to be played among what may be; anything if it has no wish. */
	wish?: (seen: Seen) => string | undefined;
	/** Called before each move with whoever makes it. */
	before?: (person: Person, seen: Seen) => Promise<void>;
};

/** Plays on until the game is over or so many moves were made; gives the number of moves. */
export async function playTogether(people: readonly Person[], game: string, play: Play): Promise<number> {
	const { pick, drawn = 0, most = 800, wish, before } = play;
	const seats = new Map<number, Person>();
	for (const person of people) seats.set(await seatOf(person), person);
	const made = new Map<Person, number>();
	for (let moves = 0; moves < most; moves += 1) {
		const mover = await whoseTurn(people, seats);
		if (!mover) return moves;
		const now = await turn(mover.page);
		if (now.over) return moves;
		await before?.(mover, now);
		const action = wish?.(now) ?? pick(now.offers);
		const count = made.get(mover) ?? 0;
		made.set(mover, count + 1);
		if (count < drawn) {
			await act(mover.page, game, action, now);
		} else {
			if ((await mover.page.locator('#notation').count()) === 0) await inWords(mover.page);
			await say(mover.page, action, now.position.ply);
		}
	}
	return most;
}

/** Waits until somebody has a seat; says which. */
export async function seatOf({ page }: Person): Promise<number> {
	for (let tries = 0; tries < 600; tries += 1) {
		const now = await seen(page);
		if (now && now.me >= 0) return now.me;
		await page.waitForTimeout(50);
	}
	throw new Error(`nobody sits here: ${page.url()}`);
}

/** Who has to act; nobody once the game is over. */
async function whoseTurn(people: readonly Person[], seats: ReadonlyMap<number, Person>): Promise<Person | null> {
	for (let tries = 0; tries < 2000; tries += 1) {
		const now = people[0] && (await seen(people[0].page));
		if (now?.over) return null;
		const mover = now?.position.turn.kind === 'seat' ? seats.get(now.position.turn.seat) : undefined;
		if (mover) return mover;
		await people[0]?.page.waitForTimeout(30);
	}
	throw new Error('none of these people is on turn');
}

/** Waits until each sees how the game ended; gives what each reads. */
export async function results(people: readonly Person[]): Promise<string[]> {
	return Promise.all(people.map(async ({ page }) => (await page.locator('.result p').first().textContent({ timeout: 60_000 })) ?? ''));
}
