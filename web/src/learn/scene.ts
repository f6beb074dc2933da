// Scenes as sessions of the rules.

import { rules } from '../engine/engine';
import type { Scene } from './contract';

type SceneAction = Scene['actions'][number];

/** Makes an action of a scene: by whoever is on turn, or by the seat that it names. */
export async function perform(session: number, action: SceneAction): Promise<void> {
	if (typeof action === 'string') await rules.apply(session, action);
	else await rules.apply(session, action[1], action[0]);
}

/** Sets a scene up; gives its session. */
export async function setUp(game: string, { seats, options = {}, actions }: Scene): Promise<number> {
	const { session } = await rules.open(game, seats, options);
	try {
		for (const action of actions) await perform(session, action);
	} catch (error) {
		await rules.close(session);
		throw error;
	}
	return session;
}
