// Who I am to the server. Nobody has to make an account: who first does something that needs a name comes in as a guest.

import type { Me, Person } from '$gen/types';
import { settings } from '$lib/settings.svelte';
import { t } from '$lib/words.svelte';
import { ask } from './http';
import { Denied } from './denied';

/** How many names a guest tries who is not called what he wants, because somebody else is. */
const ATTEMPTS = 4;

class Who {
	/** Nobody yet, or not asked for yet. */
	me = $state.raw<Me | null | undefined>(undefined);
	#asking: Promise<Me | null> | undefined;
	#coming: Promise<Person> | undefined;
	#told = new Set<() => void>();

	/** Who I am: somebody, or nobody yet. */
	ask(): Promise<Me | null> {
		if (this.me !== undefined) return Promise.resolve(this.me);
		const asking = (this.#asking ??= this.#look());
		void asking.catch(() => undefined).finally(() => (this.#asking = undefined));
		return asking;
	}

	/** Does something that needs a name; who has none comes in as a guest first. */
	async named<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof Denied) || error.code !== 'unauthenticated') throw error;
			await this.comeIn();
			return work();
		}
	}

	/** Me, as a guest if I was nobody. */
	async somebody(): Promise<Person> {
		return (await this.ask()) ?? this.comeIn();
	}

	comeIn(): Promise<Person> {
		const coming = (this.#coming ??= this.#asGuest());
		void coming.catch(() => undefined).finally(() => (this.#coming = undefined));
		return coming;
	}

	async register(name: string, password: string): Promise<void> {
		this.#is((await ask('/api/accounts', 'Admitted', { method: 'POST', body: { name, password } })).user);
	}

	async logIn(name: string, password: string): Promise<void> {
		this.#is((await ask('/api/login', 'Admitted', { method: 'POST', body: { name, password } })).user);
	}

	/** Makes an account of the guest that I am. */
	async upgrade(name: string, password: string): Promise<void> {
		const body = { name: name === this.me?.name ? null : name, password };
		this.#is(await ask('/api/me/account', 'Person', { method: 'POST', body }));
	}

	async logOut(): Promise<void> {
		await ask('/api/logout', 'nothing', { method: 'POST' });
		this.#is(null);
	}

	async deleteAccount(password: string): Promise<void> {
		await ask('/api/me', 'nothing', { method: 'DELETE', body: { password } });
		this.#is(null);
	}

	/** Is told whenever I have become somebody else. */
	onChange(told: () => void): void {
		this.#told.add(told);
	}

	async #look(): Promise<Me | null> {
		try {
			this.me = await ask('/api/me', 'Me');
		} catch (error) {
			if (!(error instanceof Denied) || error.code !== 'unauthenticated') throw error;
			this.me = null;
		}
		return this.me;
	}

	async #asGuest(): Promise<Person> {
		let wanted = settings.name.trim();
		for (let attempt = 1; ; attempt += 1) {
			const name = attempt === 1 && wanted !== '' ? wanted : invented(wanted);
			try {
				const { user } = await ask('/api/guests', 'Admitted', { method: 'POST', body: { name } });
				this.#is(user);
				return user;
			} catch (error) {
				if (!(error instanceof Denied) || attempt === ATTEMPTS) throw error;
				// Somebody else is called so, or nobody can be.
				if (error.code === 'malformed') wanted = '';
				else if (error.code !== 'not_allowed') throw error;
			}
		}
	}

	#is(person: Person | null): void {
		const same = this.me?.id === person?.id;
		this.me = person;
		if (!same) for (const told of this.#told) told();
	}
}

export const who = new Who();

/** A friendly name that is probably free. */
function invented(wanted: string): string {
	const names = t('people.guest_names').split(' ');
	const dice = crypto.getRandomValues(new Uint16Array(2));
	const base = wanted === '' ? (names[(dice[0] ?? 0) % names.length] ?? 'Otter') : wanted.slice(0, 19);
	return `${base} ${100 + ((dice[1] ?? 0) % 900)}`;
}
