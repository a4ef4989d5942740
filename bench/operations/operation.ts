import type { Call, Scenario, Space, Step } from '../loader/job.js';
import type { ServerName } from '../servers.js';
import { everyone, type Shape } from '../shapes.js';

/** A row of the benchmark. */
export interface Operation {
  name: string;
  /** The operation of the API that is measured; null: several. */
  operationId: string | null;
  /** Its name in test/contract/golden/costs.json; if absent, see costName(). */
  cost?: string;
  title: string;
  connections: number;
  /**
   * What is compared: requests a second (service / baseline, at least the bound), or the median
   * latency (service / baseline, at most the bound).
   */
  compares: 'rate' | 'latency';
  /** Bounds; null: none. */
  light: number | null;
  fair: number | null;
  /** The servers that have the operation; all if absent. */
  servers?: readonly ServerName[];
  /** The network between the server and PostgreSQL is slow: see DELAY_MS in servers.ts. */
  isDelayed?: boolean;
  /** Requests for each second of a round, where a round is so many instead of so long. */
  requestsPerSecond?: number;
  /** The workspaces that a round works on. Round 0 warms up. */
  shapes(round: number): Shape[];
  scenario(spaces: Space[]): Scenario;
}

export const BASE = { connections: 32, compares: 'rate' } as const;

/** The golden costs have both forms of a path under the name of the short one. */
export const costName = ({ cost, operationId }: Operation): string | null =>
  cost ?? operationId?.replace(/InWorkspace$/, '') ?? null;

/** A row of the service alone, with 200 users. */
export const serviceRow = (
  operationId: string,
  scenario: Operation['scenario'],
  { details = '', ...rest }: Partial<Operation> & { details?: string } = {},
): Operation => ({
  ...BASE,
  ...{ name: operationId, operationId, title: `\`${operationId}\`${details}, 200 users` },
  ...{ light: null, fair: null, servers: ['service'] },
  ...{ shapes: everyone, scenario },
  ...rest,
});

type CallIn = (space: Space) => Call;

/** One call for each space, round robin. */
export const calls =
  (...all: CallIn[]) =>
  (spaces: Space[]): Scenario => ({
    kind: 'calls',
    calls: all.flatMap((call) => spaces.map(call)),
  });

/** The same kinds of calls, one after the other, each in another space. */
export const mixedCalls =
  (...kinds: CallIn[]) =>
  (spaces: Space[]): Scenario => {
    const distance = Math.ceil(spaces.length / kinds.length);
    const at = (n: number) => spaces[n % spaces.length] as Space;
    return {
      kind: 'calls',
      calls: spaces.flatMap((_, n) => kinds.map((call, kind) => call(at(n + kind * distance)))),
    };
  };

interface StepIn extends Omit<Step, 'calls'> {
  call: CallIn;
}

/** Steps in each space: see Scenario. */
export const cycle =
  (...steps: StepIn[]) =>
  (spaces: Space[]): Scenario => ({
    kind: 'cycle',
    steps: steps.map(({ call, ...step }) => ({ ...step, calls: spaces.map(call) })),
  });

/** A step that is measured. `keep`: see Step. */
export const counted = (call: CallIn, keep?: string): StepIn => step(call, true, keep);

/** A step that prepares or cleans up. */
export const uncounted = (call: CallIn, keep?: string): StepIn => step(call, false, keep);

const step = (call: CallIn, counts: boolean, keep: string | undefined): StepIn => ({
  ...{ call, counts },
  ...(keep !== undefined && { keep }),
});

const by =
  (subject: (space: Space) => string) =>
  (
    method: Call['method'],
    path: (space: Space) => string,
    body?: (space: Space) => object,
  ): CallIn =>
  (space) => ({
    ...{ caller: subject(space), method, path: path(space) },
    ...(body && { body: body(space) }),
  });

/** A call of the owner of the team. */
export const owner = by(({ caller }) => caller);
/** A call of somebody outside of the team. */
export const guest = by((space) => space.guest.subject);

export const teamPath = ({ team }: Space): string => `/teams/${team}`;
export const workspacesPath = ({ team }: Space): string => `/teams/${team}/workspaces`;
export const workspacePath = ({ team, workspace }: Space): string =>
  `/teams/${team}/workspaces/${workspace}`;

/** The address of a collection operation in a space, `path` below `/collections`. */
export type Address = (space: Space, path?: string) => string;
export const shortForm: Address = ({ team, workspace }, path = '') =>
  `/collections${path}?team_slug=${team}&workspace_slug=${workspace}`;
export const longForm: Address = (space, path = '') => `${workspacePath(space)}/collections${path}`;

export const firstParent = ({ parents }: Space): string => parents[0] as string;
export const firstPage = ({ pages }: Space): Space['pages'][number] =>
  pages[0] as Space['pages'][number];
