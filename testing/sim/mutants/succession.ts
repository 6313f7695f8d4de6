import type { Mutant } from './mutant.ts'

const SUCCESSION = 'src/core/life/succession.ts'
const MOVES = 'src/core/life/moves.ts'
const MOVE = 'src/core/life/move.ts'
const ROUTE = 'src/core/route/route.ts'
const SILENCE = 'src/controller/step/silence.ts'

/** Rules of succession: who follows whom, when, and what becomes of what cannot be reached. */
export const SUCCESSIONS: readonly Mutant[] = [
  {
    name: 'no-fence',
    rule: 'I1: what has a successor that works leaves',
    file: SUCCESSION,
    within: 'relieved',
    find: 'leaving.set($_.order.tag.slot, $why ?? $_)',
    replace: 'leaving.size',
  },
  {
    name: 'outage-lets-go-first',
    rule: 'I13: what serves is let go of once its successor serves, or not at all',
    file: MOVE,
    within: 'moved',
    find: "$next.placements.length > 0 || $why === 'outage'",
    replace: '$next.placements.length > 0',
  },
  {
    name: 'outage-ignored',
    rule: 'I7: what a silent provider has is placed elsewhere after the grace',
    file: MOVE,
    within: 'moved',
    find: 'hasSuccessors($_) ? succeeded($_, $_, $_) : NOTHING',
    replace: 'NOTHING',
  },
  {
    name: 'outage-believed-at-once',
    rule: 'I8: a provider is out of reach only after the grace',
    file: SUCCESSION,
    within: 'outageAtMs',
    find: '($_.graceSeconds ?? GRACE_SECONDS) * 1000',
    replace: '0',
  },
  {
    name: 'outage-against-policy',
    rule: 'I6: only work whose policy says so is replaced in an outage',
    file: SUCCESSION,
    within: 'outageAtMs',
    find: "$on.includes('outage') ? $silent : undefined",
    replace: '$silent',
  },
  {
    name: 'fenced-gets-requests',
    rule: 'I1: what is being stopped gets no requests',
    file: ROUTE,
    within: 'replicaOf.state',
    find: "$phase === 'stopping' || $want !== 'running' ? 'leaving' : $state",
    replace: '$state',
  },
  {
    name: 'both-get-requests',
    rule: 'I1: a successor gets no requests before it takes over',
    file: ROUTE,
    within: 'routeOf.replicas',
    find: 'withoutSuccessors($own)',
    replace: '$own',
  },
  {
    name: 'takes-over-unready',
    rule: 'I13: a successor takes over once it is up',
    file: SUCCESSION,
    within: 'mayTakeOver',
    find: "if ($next.phase !== 'running') return false",
    replace: "return $next.phase !== 'reserved'",
  },
  {
    name: 'takes-over-unwell',
    rule: 'I13: a successor takes over once it is well',
    file: SUCCESSION,
    within: 'mayTakeOver',
    find: 'return $well <= ($up ?? 0)',
    replace: 'return true',
  },
  {
    name: 'two-successors',
    rule: 'I1: a slot has one successor at most',
    file: MOVES,
    within: 'successionsOf',
    find: '$first !== undefined && $living.length === 1',
    replace: '$first !== undefined',
  },
  {
    name: 'epochs-meet',
    rule: 'I1: no two attempts of a slot have the same epoch',
    file: 'src/core/life/bind/bind.ts',
    within: 'orderFor.epoch',
    find: '1 + Math.max(0, ...placementsOf($record, $slot).map($_))',
    replace: '1 + ($record.placements.get($slot)?.order.tag.epoch ?? 0)',
  },
  {
    name: 'job-gets-a-successor',
    rule: 'I1: jobs have one attempt at a time',
    file: 'src/core/life/seats.ts',
    within: 'hasSuccessors',
    find: "$kind === 'service' && $nodes === 1 && $storage",
    replace: '$nodes === 1 && $storage',
  },
  {
    name: 'zombie-adopted',
    rule: 'I1: what was let go of never comes back',
    file: 'src/core/life/evidence.ts',
    within: 'seeInstance',
    find: "if ($placement.phase === 'stopping') return $_",
    replace: "if ($placement.phase === 'stopping') return { placements: [{ ...known, phase: 'running' }], events: [] }",
  },
  {
    name: 'silence-keeps-its-slot',
    rule: 'I7: what a silent provider does not end keeps no slot',
    file: SUCCESSION,
    within: 'isFenced',
    find: "if ($_.phase !== 'stopping' || !hasSuccessors($_)) return false",
    replace: 'return false',
  },
  {
    name: 'surge-without-budget',
    rule: 'I5: a successor counts against the limits beside its predecessor',
    file: MOVE,
    within: 'succeeded',
    find: 'bind($record, [$seats], $input)',
    replace: 'bind($record, [$seats], { ...$input, usage: { gpus: 0, usdPerHour: 0 } })',
  },
  {
    name: 'answers-end-no-silence',
    rule: 'I8: any answer ends the silence of a provider',
    file: SILENCE,
    within: 'heard',
    find: 'state.silent.delete($provider)',
    replace: 'false',
  },
]
