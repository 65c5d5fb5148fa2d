import type { Connection } from '../../../../src/queue/types.ts';
import { newQueue } from '../../../../src/queue/user-actions.ts';
import { openDatabase } from '../../../../src/storage/database.ts';
import { Store } from '../../../../src/storage/store.ts';
import { type Kind, ModelService } from '../../queue/model/service.ts';
import { NOW, specOnly } from '../../queue/support/queue-builders.ts';
import type { World } from './world.ts';

/** A series of user actions. `given` prepares the browser, and faults happen only during `play`. */
export interface Scenario {
  name: string;
  given: (world: World) => Promise<unknown>;
  play: (world: World) => Promise<unknown>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const CLICK = { menuItemId: 'shorten-link', linkUrl: 'https://x.example/menu', editable: false, modifiers: [] };
const TAB = { incognito: false } as never;

/** Connects to one service of each kind. The first service is the default. */
function connectedTo(...kinds: Kind[]) {
  return async (world: World) => {
    const connections = kinds.map((kind, index): { connection: Connection; apiKey: string } => {
      const service = new ModelService(kind, `service-${index}`);
      const apiKey = world.addService(service);
      const { baseUrl, info } = service;
      const preferredAt = kinds.length - index;
      return { connection: { ...specOnly, id: `c${index}`, baseUrl, service: info, preferredAt }, apiKey };
    });
    const store = new Store(openDatabase, () => NOW);
    await store.updateAll(() => ({
      all: {
        queues: connections.map(({ connection }) => newQueue(connection)),
        apiKeys: new Map(connections.map(({ connection, apiKey }) => [connection.id, apiKey])),
      },
      result: null,
    }));
  };
}

function weather(world: World, name: ModelService['weather']): void {
  for (const service of world.services) service.weather = name;
}

async function backOnline(world: World): Promise<void> {
  world.online = true;
  await world.ask({ type: 'online' });
  await world.pass(5 * SECOND);
}

export const SCENARIOS: Scenario[] = [
  ...(['full', 'spec-only'] as const).map((kind) => ({
    name: `${kind}: one request is sent`,
    given: connectedTo(kind),
    play: async (world: World) => {
      await world.shorten(['a']);
      await world.pass(5 * SECOND);
    },
  })),
  ...(['batching', 'spec-only'] as const).map((kind) => ({
    name: `${kind}: a list of URLs is sent`,
    given: connectedTo(kind),
    play: async (world: World) => {
      await world.shorten(['a', 'b', 'c']);
      await world.pass(10 * SECOND);
    },
  })),
  ...(['full', 'spec-only'] as const).map((kind) => ({
    name: `${kind}: an answer is lost`,
    given: connectedTo(kind),
    play: async (world: World) => {
      weather(world, 'lost-after');
      await world.shorten(['a']);
      weather(world, 'fair');
      await world.pass(2 * MINUTE);
    },
  })),
  {
    name: 'a URL is refused permanently',
    given: connectedTo('full'),
    play: async (world) => {
      await world.shorten(['r6']);
      await world.pass(5 * SECOND);
    },
  },
  {
    name: 'a request is refused temporarily',
    given: connectedTo('full'),
    play: async (world) => {
      weather(world, 'throttles');
      await world.shorten(['a']);
      weather(world, 'fair');
      await world.pass(MINUTE);
    },
  },
  {
    name: 'a connection is saved and used',
    given: async (world) => world.addService(new ModelService('batching', 'service-0'), 'key-of-service-0'),
    play: async (world) => {
      const [service] = world.services;
      const baseUrl = service?.baseUrl ?? '';
      await world.ask({ type: 'save-connection', connectionId: null, name: '', baseUrl, apiKey: 'key-of-service-0' });
      await world.shorten(['a']);
      await world.pass(5 * SECOND);
    },
  },
  {
    name: 'a connection is deleted',
    given: connectedTo('full', 'batching'),
    play: async (world) => {
      world.online = false;
      await world.shorten(['a', 'b']);
      await world.ask({ type: 'forget-connection', connectionId: 'c0' });
      await backOnline(world);
    },
  },
  {
    name: 'a private page is shortened beside others',
    given: connectedTo('full'),
    play: async (world) => {
      await world.shorten(['a']);
      await world.shortenPrivately('p');
      await world.pass(MINUTE);
    },
  },
  {
    name: 'the network is lost and returns',
    given: connectedTo('full'),
    play: async (world) => {
      world.online = false;
      await world.shorten(['a']);
      await world.pass(5 * SECOND);
      await backOnline(world);
    },
  },
  ...[false, true].map((isTaken) => ({
    name: `a short URL is copied before it works, and ${isTaken ? 'its code is taken by then' : 'works'}`,
    given: connectedTo('full'),
    play: async (world: World) => {
      world.online = false;
      await world.shorten(['a']);
      world.copyEarly('a');
      const shortUrl = world.copied.get('a');
      if (isTaken && shortUrl)
        world.services[0]?.links.push({ key: 'theirs', url: 'https://hidden.example/', shortUrl });
      await backOnline(world);
    },
  })),
  {
    name: 'a link is requested twice from the context menu',
    given: connectedTo('full'),
    play: async (world) => {
      await world.event((background) => background.onMenu(CLICK, TAB));
      await world.pass(5 * SECOND);
      await world.event((background) => background.onMenu(CLICK, TAB));
      await world.pass(5 * SECOND);
    },
  },
];
