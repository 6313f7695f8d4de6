/**
 * What a refused order may have made, by its words and by what it names. A refusal that speaks of something that exists is no proof
 * that there is nothing, however sure it sounds.
 */

/** What an order makes. `Instance type 12` and `pod template` are none. */
const MACHINE = String.raw`(?:instance|pod|droplet|vm|server|machine|contract)\b(?! (?:types?|templates?|names?|images?|sizes?|specs?|groups?|profiles?)\b)`
const ORDER = String.raw`(?:order|request|launch|deployment|creation)`
const THING = String.raw`(?:\w*name|token|idempotency[- ]?key|instance|pod|droplet|vm|server|machine|contract|order|request|launch|deployment|creation|provisioning|operation)`
const WAS = String.raw`(?:was|were|has been|have been)`
const MADE = '(?:created|launched|started|provisioned|deployed|queued|accepted|submitted|scheduled|reserved|allocated)'

const SAID = new RegExp(
  [
    // The name or the token was used before.
    String.raw`\b${THING}s?\b[^.;]{0,60}\balready (?:being |been )?(?:exists?|has a|in use|used|taken|created|launched|started|deployed|processed|submitted)`,
    String.raw`duplicate (?:request|order|instance|pod|droplet|name)|idempoten`,
    String.raw`\b(?:same|this|that|given|requested) \w*name (?:already )?(?:exists|is (?:taken|in use|used))`,
    String.raw`\b\w*name\b[^.;]{0,40}\b(?:(?:must be|not) unique|is (?:taken|in use))`,
    // It was made: `Pod created but failed to start`, `the instance was terminated after an error`.
    String.raw`\b${THING}s?\b[^.;]{0,40}\b(?:${WAS}|is being|are being) (?:${MADE}|processed)`,
    String.raw`\b${THING}s?(?: \S+)? ${MADE},? (?:but|however|successfully)\b`,
    String.raw`\b(?:after|only) \d+ of \d+\b`,
    String.raw`\bpartial(?:ly)? (?:success|created|launched|provisioned)`,
    String.raw`\b(?:${MACHINE}|${ORDER}\b)[^.;]{0,40}\b${WAS} (?:stopped|paused|suspended|terminated|deleted|rolled back|reverted|undone)`,
    String.raw`\b${MACHINE}(?: \S+)? failed to (?:start|boot|come up)`,
    // It goes on.
    String.raw`\b${THING}\b[^.;]{0,40}\bin progress`,
    String.raw`\b${ORDER} (?:\S+ )?is (?:still )?(?:pending|queued|processing|running)`,
    String.raw`\bpending (?:event|operation|request|order)`,
    // It cannot be read back yet.
    String.raw`\b${MACHINE}(?: \S+)? (?:was |is |could )?not (?:be )?found`,
  ].join('|'),
  'i',
)
const DENIED = new RegExp(String.raw`\b(?:no|none of the|neither)\b[^.;]{0,30}\b${THING}s?\b[^.;]{0,20}\b${WAS} `, 'i')

/** What is said of an order that went through before, that was carried out in part, or that goes on. */
export function saysMade(text: string): boolean {
  return SAID.test(text) && !DENIED.test(text)
}

const ONE = String.raw`(?:instance|pod|droplet|vm|contract|deployment|launch)\b(?! (?:types?|templates?|names?|images?|sizes?|specs?|groups?|profiles?|limits?)\b)`
const TO_MAKE = String.raw`(?:create|deploy|launch|start|rent|provision|order|run)(?:ing)?`

/** `your pod`, `instance i-77`, `a previous create`, and not `to deploy your pod`. */
const SPOKEN = new RegExp(
  [
    String.raw`(?<!\b${TO_MAKE} )\b(?:the|your|this|that|an?|its) (?:\w+ ){0,2}${ONE}`,
    String.raw`\b(?:instance|pod|droplet|vm|contract) (?=[\w-]*\d)[\w-]+`,
    String.raw`\b(?:previous|earlier|another) (?:create|request|order|launch|attempt|call)\b`,
    String.raw`\b(?:creation|deployment) (?:was|is|has)\b`,
  ].join('|'),
  'i',
)
const NOT_MADE = new RegExp(
  String.raw`\b(?:could not|cannot|can't|was not|were not|unable to|failed to|did not) (?:be )?${MADE.replace(')', '|create|launch|provision|deploy)')}`,
  'i',
)

/** A text that nobody knows and that speaks of a machine as of one that is there: nobody can rule out that it is ours. */
export function speaksOfOne(text: string): boolean {
  return SPOKEN.test(text) && !NOT_MADE.test(text)
}

/** Something broke behind the API while it carried out the order, whatever status and code it has for that. */
export function saysBroken(text: string): boolean {
  return /timed? ?out|deadline exceeded|(?:connection (?:reset|closed|aborted|lost)|lost (?:the )?connection)|interrupted|broken pipe|unexpected (?:\w+ )?(?:eof|error|failure)|upstream|internal (?:server )?error|something went wrong|unknown error/i.test(
    text,
  )
}

const DEPTH_MOST = 3
const NAMES = /^(?:(?:instance|pod|droplet|contract|server|vm)_?ids?|new_?contract)$/i
const MACHINES = /^(?:instance|pod|droplet|contract|server|vm|data)s?$/i

/** Whether a reply names something that an order may have made, beside whatever it says. A name that is its code is none. */
export function namesMade(value: unknown, code: string | undefined): boolean {
  return namesIn(value, code, DEPTH_MOST) || (isObject(value) && hasId(value, code))
}

function namesIn(value: unknown, code: string | undefined, depth: number): boolean {
  if (!isObject(value) || depth === 0) return false
  return Object.entries(value).some(([key, inner]) => {
    if (NAMES.test(key)) return isName(inner)
    if (MACHINES.test(key) && machinesIn(inner).some((each) => hasId(each, code))) return true
    return namesIn(inner, code, depth - 1)
  })
}

function machinesIn(value: unknown): readonly object[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

function hasId(value: object, code: string | undefined): boolean {
  return 'id' in value && isName(value.id) && String(value.id) !== code
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isName)
  return typeof value === 'number' ? value > 0 : typeof value === 'string' && value.trim() !== ''
}
