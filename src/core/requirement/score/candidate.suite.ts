import { machine, need, NOW_MS, state } from '../filter/facts.suite.ts'
import type { Need } from '../need/need.ts'
import type { Machine, State } from '../../offer/machine.ts'
import type { Candidate, Field, Score } from './score.ts'

/** The score of the usual offer with `change`, among candidates with `field`. */
export function scored(score: Score, change: Partial<Candidate>, field: Partial<Field> = {}): number {
  const candidate = { machine: machine(), state: state(), usdPerHour: 4, ...change }
  return score.of(candidate, { need: need(), usdPerHourMin: 2, nowMs: NOW_MS, ...field })
}

export function inState(score: Score, change: Partial<State>): number {
  return scored(score, { state: state(change) })
}

export function onMachine(score: Score, change: Partial<Machine>, asked: Need): number {
  return scored(score, { machine: machine(change) }, { need: asked })
}
