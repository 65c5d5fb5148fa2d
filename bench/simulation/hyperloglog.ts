/**
 * Estimates the number of distinct visitors in fixed memory. Uses HyperLogLog (Flajolet, Fusy, Gandouet and Meunier
 * 2007), and linear counting while few registers are set. The benchmark compares this estimate with the service's
 * method, which stores one row per visitor.
 */
export interface HyperLogLog {
  add(hash: bigint): void;
  estimate(): number;
  /** Returns the number of registers that are set. A sparse format stores only these registers. */
  used(): number;
}

/**
 * Creates a HyperLogLog for 64-bit hashes. The first `bits` bits of a hash select a register. The standard error is
 * 1.04 / sqrt(2 ** bits).
 */
export function createHyperLogLog(bits: number): HyperLogLog {
  const count = 2 ** bits;
  const registers = new Uint8Array(count);
  const alpha = 0.7213 / (1 + 1.079 / count);
  const rest = BigInt(64 - bits);
  return {
    add(hash) {
      const index = Number(hash >> rest);
      const tail = hash & ((1n << rest) - 1n);
      const rank = 64 - bits - tail.toString(2).length + (tail === 0n ? 2 : 1);
      if (rank > (registers[index] as number)) registers[index] = rank;
    },
    estimate() {
      let sum = 0;
      let empty = 0;
      for (const register of registers) {
        sum += 2 ** -register;
        if (register === 0) empty += 1;
      }
      const raw = (alpha * count * count) / sum;
      return raw <= 2.5 * count && empty > 0 ? count * Math.log(count / empty) : raw;
    },
    used: () => registers.filter((register) => register > 0).length,
  };
}
