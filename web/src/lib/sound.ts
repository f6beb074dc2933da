// Small sounds, made here rather than loaded: a knock for something laid down, two notes for "your turn" and the end.

import { settings } from './settings.svelte';

let audio: AudioContext | undefined;

function tone(frequency: number, after: number, seconds: number, loudness: number): void {
	if (!audio) return;
	const start = audio.currentTime + after;
	const source = new OscillatorNode(audio, { frequency, type: 'triangle' });
	const gain = new GainNode(audio, { gain: 0 });
	gain.gain.setValueAtTime(loudness, start);
	gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
	source.connect(gain).connect(audio.destination);
	source.start(start);
	source.stop(start + seconds);
}

const sounds: Record<'laid' | 'turn' | 'end', Parameters<typeof tone>[]> = {
	laid: [[190, 0, 0.09, 0.25]],
	turn: [[520, 0, 0.12, 0.12], [660, 0.1, 0.16, 0.12]],
	end: [[440, 0, 0.2, 0.14], [554, 0.14, 0.2, 0.14], [660, 0.28, 0.4, 0.14]],
};

/** Makes a sound, if the person wants any. A browser that allows none is silent. */
export function play(sound: keyof typeof sounds): void {
	if (!settings.sound) return;
	try {
		audio ??= new AudioContext();
		for (const note of sounds[sound]) tone(...note);
	} catch {
		// Silence does no harm.
	}
}
