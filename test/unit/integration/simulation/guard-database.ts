import { failure, type Gate } from './gate.ts';

type Method = (...parts: never[]) => unknown;

const READS = ['get', 'getAll', 'getAllKeys'];
const WRITES = ['put', 'add', 'delete', 'clear'];

/**
 * Routes all database calls through the gate, which counts calls and injects faults. Aborts the open transactions of
 * a dead background worker, and calls `committed` after each commit. A test file calls this function once, because
 * the original methods are not restored.
 */
export function guardDatabase(gate: Gate, committed: () => void): void {
  const open = new Set<IDBTransaction>();
  gate.died = () => {
    const left = [...open];
    // Deferred, because the transaction may be running a request right now.
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
    // The database itself starts the transaction of a schema upgrade.
    if ((parts[1] as string) === 'versionchange') return transaction.apply(this, parts);
    const fault = gate.check('transaction');
    if (fault === 'fails') throw failure('transaction');
    const begun = transaction.apply(this, parts);
    watch(begun);
    goesWrong(gate, fault, begun);
    return begun;
  };
}

/**
 * Routes the methods that return an IndexedDB request through the gate, which counts calls and injects faults. A read
 * only fails if its transaction fails.
 */
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
        // The background worker is dead and must receive neither a response nor an error.
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
    // The transaction has already ended.
  }
}
