import { failure, type Gate } from './gate.ts';

type Method = (...parts: never[]) => unknown;

const READS = ['get', 'getAll', 'getAllKeys'];
const WRITES = ['put', 'add', 'delete', 'clear'];

/**
 * Sends every opening, transaction and request of the database through the gate. Open transactions of a dead worker
 * are aborted. `committed` is called at each commit. To be called once per test file, since nothing is restored.
 */
export function guardDatabase(gate: Gate, committed: () => void): void {
  const open = new Set<IDBTransaction>();
  gate.died = () => {
    const left = [...open];
    // Deferred, because a request may be running on them now.
    queueMicrotask(() => left.forEach(abort));
  };
  const watch = (begun: IDBTransaction) => {
    if (open.has(begun)) return;
    open.add(begun);
    begun.addEventListener('abort', () => open.delete(begun));
    begun.addEventListener('complete', () => {
      open.delete(begun);
      gate.passed();
      if (begun.mode !== 'readonly') committed();
    });
  };
  guardOpening(gate, watch);
  const of = (store: IDBObjectStore) => store.transaction;
  guardRequests(gate, IDBObjectStore.prototype, [...READS, ...WRITES], of, watch);
  guardRequests(
    gate,
    IDBIndex.prototype,
    ['getAll', 'openKeyCursor'],
    (index: IDBIndex) => of(index.objectStore),
    watch,
  );
}

type Watch = (transaction: IDBTransaction) => void;

function guardOpening(gate: Gate, watch: Watch): void {
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...parts) {
    if (gate.check('open') !== null) throw failure('open');
    const request = open.apply(this, parts);
    request.addEventListener('upgradeneeded', (event) => {
      if (request.transaction) watch(request.transaction);
      if (!gate.isDead) return;
      event.stopImmediatePropagation();
      request.transaction?.abort();
    });
    return request;
  };
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...parts) {
    // The database itself starts the transaction of an upgrade.
    if ((parts[1] as string) === 'versionchange') return transaction.apply(this, parts);
    const fault = gate.check('transaction');
    if (fault === 'fails') throw failure('transaction');
    const begun = transaction.apply(this, parts);
    watch(begun);
    goesWrong(gate, fault, begun);
    return begun;
  };
}

/** Guards methods that return a request. Reads never throw, and only fail with their transaction. */
function guardRequests<Source>(
  gate: Gate,
  prototype: Source,
  names: string[],
  transactionOf: (source: Source) => IDBTransaction,
  watch: Watch,
): void {
  const methods = prototype as Record<string, Method>;
  for (const name of names) {
    const original = methods[name] as Method;
    methods[name] = function (this: Source, ...parts: never[]) {
      const begun = transactionOf(this);
      watch(begun);
      let fault: ReturnType<Gate['check']>;
      try {
        fault = gate.check(name);
      } catch {
        // The worker is dead, so no response or error is delivered.
        return new Promise(() => {});
      }
      if (fault === 'fails' && WRITES.includes(name)) throw failure(name);
      const request = original.apply(this, parts) as IDBRequest;
      for (const event of ['success', 'error']) request.addEventListener(event, () => gate.passed());
      goesWrong(gate, fault, begun);
      return request;
    };
  }
}

function goesWrong(gate: Gate, fault: ReturnType<Gate['check']>, transaction: IDBTransaction): void {
  if (fault === 'dies-after') gate.die();
  else if (fault !== null) queueMicrotask(() => abort(transaction));
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has already ended.
  }
}
