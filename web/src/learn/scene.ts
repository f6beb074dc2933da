// Scenes as sessions of the rules.

import { rules } from '../engine/engine';
import type { Scene } from './contract';

type SceneAction = Scene['actions'][number];

/** Makes an action of a scene: by whoever is on turn, or by the seat that it names. */
export async function perform(session: number, action: SceneAction): Promise<void> {
	await rules.call('apply', typeof action === 'string' ? { session, action } : { session, action: action[1], seat: action[0] });
}

/** Sets a scene up; gives its session. */
export async function setUp(game: string, { seats, options = {}, actions }: Scene): Promise<number> {
	const { session } = await rules.call('new', { game, seats, options });
	try {
		for (const action of actions) await perform(session, action);
	} catch (error) {
		await rules.call('close', { session });
		throw error;
	}
	return session;
}
