import { givesOut } from '../queue/gives-out.ts';
import { announce } from './changes.ts';
import { resultOf } from './indexed-db.ts';
import { openForPage } from './read.ts';
import { writeIn } from './transaction.ts';

/** Gives a connection the links of files that it gives out, by what its service says of itself now. */
export async function confirmLinks(connectionId: string): Promise<void> {
  const database = await openForPage();
  try {
    const count = await writeIn(database, ['connections', 'links'], async (transaction) => {
      const store = transaction.objectStore('links');
      const connection = await resultOf(transaction.objectStore('connections').get(connectionId));
      const links = connection ? await resultOf(store.getAll()) : [];
      const confirmed = links.filter(
        ({ unconfirmed, shortUrl }) => unconfirmed && connection && givesOut(connection, shortUrl),
      );
      for (const { unconfirmed, ...link } of confirmed) store.put({ ...link, connectionId });
      return confirmed.length;
    });
    if (count > 0) await announce({ queues: false, links: true });
  } finally {
    database.close();
  }
}
