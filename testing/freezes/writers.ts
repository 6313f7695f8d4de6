import { Client } from 'pg'

/** Rows that only a leader may write. */
const LEADERS = ['status', 'placement', 'refusal', 'bill', 'market']

/** One write of a row, in the order in which the database made them. */
export interface Written {
  readonly number: number
  /** The database user that wrote: each control plane has its own. */
  readonly writer: string
  /** The term of the lease when it was written. */
  readonly term: number
  readonly kind: string
  readonly key: string
}

/**
 * Makes the database itself note who writes which row under which term. The control planes know nothing of it: what is
 * in the notes did land.
 */
export class Writers {
  readonly #client: Client

  constructor(url: string) {
    this.#client = new Client({ connectionString: url })
  }

  /** Before the first control plane starts: a user for each. */
  async open(users: readonly string[]): Promise<void> {
    await this.#client.connect()
    for (const user of users) await this.#client.query(`CREATE ROLE ${user} SUPERUSER LOGIN`)
  }

  /** Once the tables are there. */
  async watch(): Promise<void> {
    await this.#client.query(`
      CREATE TABLE public.written (number bigserial PRIMARY KEY, writer text, term bigint, kind text, key text);
      CREATE FUNCTION public.note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.written (writer, term, kind, key)
        SELECT session_user, term, NEW.kind, NEW.key FROM berth.berth_meta;
        RETURN NULL;
      END $$;
      CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON berth.rows
        FOR EACH ROW EXECUTE FUNCTION public.note_write()`)
  }

  /** Who leads by the lease itself. */
  async lease(): Promise<{ readonly term: number; readonly holder: string | null }> {
    const { rows } = await this.#client.query('SELECT term, holder FROM berth.berth_meta')
    return { term: Number(rows[0]?.term), holder: rows[0]?.holder ?? null }
  }

  /** Every write of a row that only a leader may write. */
  async byLeaders(): Promise<readonly Written[]> {
    const { rows } = await this.#client.query(
      'SELECT number, writer, term, kind, key FROM public.written WHERE kind = ANY($1) ORDER BY number',
      [LEADERS],
    )
    return rows.map(({ number, writer, term, kind, key }) => ({
      number: Number(number),
      writer: String(writer),
      term: Number(term),
      kind: String(kind),
      key: String(key),
    }))
  }

  /** Whether a writer has begun a transaction and not ended it: the database waits for it. */
  async isWriting(user: string): Promise<boolean> {
    const { rows } = await this.#client.query(
      `SELECT 1 FROM pg_stat_activity WHERE usename = $1 AND state = 'idle in transaction'`,
      [user],
    )
    return rows.length > 0
  }

  async close(): Promise<void> {
    await this.#client.end()
  }
}

/** Writes in a term by anybody but its leader: what a stale leader got through. */
export function staleIn(written: readonly Written[], leaders: ReadonlyMap<number, string>): readonly string[] {
  return written
    .filter(({ term, writer }) => leaders.get(term) !== writer)
    .map(({ number, term, writer, kind, key }) => `write ${number}: ${writer} wrote ${kind} ${key} in term ${term}`)
}
