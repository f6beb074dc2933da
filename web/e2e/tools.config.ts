import { mergeConfig } from 'vitest/config';
import config from './vitest.config';

// What is made or measured with the same people and servers as the tests, by commands of their own.
export default mergeConfig(config, { test: { include: ['**/*.tool.ts'], maxWorkers: 1, testTimeout: 1_200_000 } });
