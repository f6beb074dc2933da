// Something that is fetched: there, on its way, or not to be had.

export class Loaded<T> {
	value = $state.raw<T | null>(null);
	error = $state.raw<unknown>(null);
	busy = $state(false);
	/** Why the last change was not made. */
	refused = $state('');
	#latest = 0;
	#fetch: (() => Promise<T>) | null = null;

	/** Fetches it; what comes after something newer was asked for is left alone. */
	async from(fetch: () => Promise<T>): Promise<void> {
		const mine = ++this.#latest;
		this.#fetch = fetch;
		this.busy = true;
		try {
			const value = await fetch();
			if (mine !== this.#latest) return;
			this.value = value;
			this.error = null;
		} catch (error) {
			if (mine !== this.#latest) return;
			this.error = error;
		}
		this.busy = false;
	}

	/** Changes something about it, and fetches it again, whether or not that was allowed. */
	async change(work: () => Promise<unknown>): Promise<void> {
		this.refused = '';
		try {
			await work();
		} catch (error) {
			this.refused = (error as Error).message;
		}
		if (this.#fetch) await this.from(this.#fetch);
	}

	/** What to tell about it: why the last change was not made, or why it is not to be had. */
	get trouble(): string {
		return this.refused || (this.error as Error | null)?.message || '';
	}
}
