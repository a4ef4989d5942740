import { join } from 'node:path';
import base from '../../jest.config.js';
import instances from '../instances/jest.config.js';
import pooler from '../pooler/jest.config.js';

const { maxWorkers, reporters, testSequencer, ...project } = base;
// Jest asks for these at the root only.
const asProject = ({ reporters: _, testSequencer: _2, ...config }) => config;
const rootDir = join(import.meta.dirname, '../..');

/**
 * Whole processes, and the programs that they meet in production: databases that fail, Redis, a
 * balancer, a pooler. Then the tests of the interface once more, over two processes.
 *
 * @type {import('jest').Config}
 */
export default {
  rootDir,
  maxWorkers,
  reporters,
  testSequencer,
  // Jest asks here, not in a project. A file starts whole processes before its first test.
  testTimeout: 120_000,
  projects: [
    {
      ...project,
      displayName: 'operate',
      rootDir,
      testMatch: ['<rootDir>/test/operate/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    },
    asProject(instances),
    asProject(pooler),
  ],
};
