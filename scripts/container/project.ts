import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A separate Compose project with compose.yaml that does not interfere with other containers on this machine. */
export interface Project {
  /** Local port of Caddy. */
  port: number;
  /** Writes settings into .env, as the guide tells users to do. */
  set(settings: Record<string, string>): void;
  /** Runs `docker compose` and returns its output. @throws with the whole output if the command fails */
  compose(...args: string[]): string;
  /** Runs commands of the guide without changes. */
  sh(commands: string): void;
  healthy(): Promise<void>;
  step(name: string, part: () => unknown): Promise<void>;
  end(): void;
}

const PORT = 8443;
/** Compose settings that publish ports only on loopback. */
const OVERRIDE = `services:
  caddy:
    ports: !override
      - 127.0.0.1:${PORT}:443
`;
/** Maximum time in seconds until the service is healthy. */
const PATIENCE = 60;

/** @throws with an instruction if no Docker engine with Compose is available */
export function openProject(): Project {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
  } catch (error) {
    throw new Error('This needs Docker 25 or newer, with Compose 2.24 or newer.', { cause: error });
  }
  const folder = mkdtempSync(join(tmpdir(), 'terse-container-'));
  const override = join(folder, 'override.yaml');
  writeFileSync(override, OVERRIDE);
  const environment: Record<string, string | undefined> = {
    ...process.env,
    COMPOSE_FILE: `${resolve('compose.yaml')}:${override}`,
    COMPOSE_PROJECT_NAME: 'terse-check',
    API_HOST: 'links.localhost',
    SHORT_HOST: 'short.localhost',
  };

  const options = { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' } as const;
  const compose = (...args: string[]) => execFileSync('docker', ['compose', ...args], options);
  return {
    port: PORT,
    set: (settings) => void Object.assign(environment, settings),
    compose,
    sh: (commands) => void execFileSync('sh', ['-ec', commands], options),
    async healthy() {
      for (let second = 0; second < PATIENCE; second += 1) {
        if (compose('ps', '--format', '{{.Health}}', 'terse').trim() === 'healthy') return;
        await sleep(1000);
      }
      throw new Error(`The service is not well after ${PATIENCE} seconds.`);
    },
    async step(name, part) {
      const started = performance.now();
      await part();
      console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${name}`);
    },
    end() {
      Object.assign(environment, { COMPOSE_PROFILES: 'postgres' });
      compose('down', '--volumes', '--timeout', '1');
      rmSync(folder, { recursive: true });
    },
  };
}
