import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A separate Compose project that uses compose.yaml and does not interfere with other containers on this machine. */
export interface Project {
  /** Local port on which Caddy listens. */
  port: number;
  /** Writes settings to the .env file of the Compose project. */
  set(settings: Record<string, string>): void;
  /**
   * Runs `docker compose` and returns its output.
   *
   * @throws with the whole output if the command fails
   */
  compose(...args: string[]): string;
  /** Runs commands from the guide unchanged. */
  sh(commands: string): void;
  healthy(): Promise<void>;
  step(name: string, part: () => unknown): Promise<void>;
  end(): void;
}

const PORT = 8443;
/** Compose settings that publish ports only on the loopback interface. */
const OVERRIDE = `services:
  caddy:
    ports: !override
      - 127.0.0.1:${PORT}:443
`;
/** Maximum time in seconds until the service is healthy. */
const HEALTH_TIMEOUT = 60;

/** @throws with instructions if no Docker engine with Compose is available */
export function openProject(): Project {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
  } catch (error) {
    throw new Error('This check requires Docker 25 or later with Compose 2.24 or later.', { cause: error });
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
      for (let second = 0; second < HEALTH_TIMEOUT; second += 1) {
        if (compose('ps', '--format', '{{.Health}}', 'terse').trim() === 'healthy') return;
        await sleep(1000);
      }
      throw new Error(`The service is still not healthy after ${HEALTH_TIMEOUT} seconds.`);
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
