import type { EventEntry, NewEvent } from './event.ts'

/** An event as another version may have written it: of any kind, with any facts. */
export function otherVersion(event: Omit<EventEntry, 'seq'>): NewEvent {
  // Stores keep whatever they are given, and must give it back.
  return event as NewEvent
}
