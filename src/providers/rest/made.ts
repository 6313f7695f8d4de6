/**
 * What a refused order may have made, by its words and by what it names. A refusal that speaks of something that exists is no proof
 * that there is nothing, however sure it sounds.
 */

/** What an order makes. `Instance type 12` and `pod template` are none. */
const MACHINE = String.raw`(?:instance|pod|droplet|vm|server|machine|contract)\b(?! (?:types?|templates?|names?|images?|sizes?|specs?|groups?|profiles?)\b)`
const ORDER = String.raw`(?:order|request|launch|deployment|creation)`
const THING = String.raw`(?:\w*name|token|idempotency[- ]?key|instance|pod|droplet|vm|server|machine|contract|order|request|launch|deployment|creation|provisioning|operation)`
/** What has an owner's name for it. Hosts are servers and machines, too. */
const ONE_KIND = String.raw`(?:instance|pod|droplet|vm|contract)`
const STATE = String.raw`(?:stopped|exited|stuck|unhealthy|unreachable|unresponsive|(?!(?:miss|lack|us|request|exceed|ask|need|requir|violat|conflict|accord|depend)ing\b)\w{3,}ing|in (?:an? |the )?(?:\S+ )?(?:state|status))\b`
/** What comes between a machine and what is said of it, and is no sort of it. */
const CALLED = String.raw`(?: (?:named|called))?(?: (?!(?:types?|templates?|names?|images?|sizes?|specs?|limits?|quotas?)\b)\S+)?`
/** What is said of a machine that there is, and not of the sort, the number or the price of machines. */
const ITS = String.raw`\b(?:instance|pod|droplet|vm|contract|deployment|reservation|rental)s?\b`
/** What is said of orders and of what does not exist. */
const NOT_OF_ONE = String.raw`(?:need|requir|allow|permitt|support|unsupport|reject|deni|refus|fail|exceed|limit|request|specifi|select|expect|block|bas|nam|offer|list|disabl|enabl|restrict|us|reach|advertis|match|contain|mention|describ|forbidd|prohibit|wanted|desir|intend|propos|tri|attempt|label|call|configur|authori[sz]|capp|violat|unverifi|verifi|includ|defin|provid|suppli|pass|cost|pric)\w*`
/** As clouds make names: a UUID, a number, hex digits, or letters between digits. `gpu_1x_a10` and `p5.48xlarge` are none. */
const NAME = String.raw`(?:[\da-f]{8}-[\da-f]{4}-|\d{5,}\b|(?:i-)?(?=[a-f]*\d)[\da-f]{8,}\b|i-[\da-f]+\b|(?=(?:[a-z]*\d){2})[a-z\d]{9,20}\b(?![_.]))`
const WAS = String.raw`(?:was|were|has been|have been|had been)`
const MADE = '(?:created|launched|started|provisioned|deployed|queued|accepted|submitted|scheduled|reserved|allocated)'

const SAID = new RegExp(
  [
    // The name or the token was used before.
    String.raw`\b${THING}s?\b[^.;]{0,60}\balready (?:being |been )?(?:exists?|has a|in use|used|taken|created|launched|started|deployed|processed|submitted)`,
    String.raw`\b${ONE_KIND}\b[^.;]{0,60}\balready (?:running|active|booting|starting|pending|queued)`,
    String.raw`duplicate (?:request|order|instance|pod|droplet|name)|idempoten`,
    String.raw`\b(?:same|this|that|given|requested) \w*name (?:already )?(?:exists|is (?:taken|in use|used))`,
    String.raw`\b\w*name\b[^.;]{0,40}\b(?:(?:must be|not) unique|is (?:taken|in use))`,
    // It was made: `Pod created but failed to start`, `the instance was terminated after an error`.
    String.raw`\b${THING}s?\b[^.;]{0,40}\b(?:${WAS}|is being|are being) (?:${MADE}|processed)`,
    String.raw`\b${THING}s?(?: \S+)? ${MADE},? (?:but|however|successfully)\b`,
    String.raw`\b(?:after|only) \d+ of \d+\b|(?<![\w.])[1-9]\d* (?:${ONE_KIND.replace('contract', 'gpu')}s? )?${MADE}\b|\bone of (?:the|your) (?:\w+ ){0,2}${ONE_KIND}s (?:failed|could|did|was)\b`,
    String.raw`\bpartial(?:ly)? (?:success\w*|created|launched|provisioned|completed|started|deployed|fulfilled|launch|failure)`,
    String.raw`(?<!\b(?:no|not|never|nothing|without|be|being)\b[^.;]{0,20})\b${MADE} (?:[1-9]\d* of \d+\b|(?:the |your |an? |one |[1-9]\d* )(?:\w+ )?${MACHINE})`,
    String.raw`\bafter (?:the |its )?(?:${ONE_KIND} )?(?:creation|launch|deployment|boot)\b|\bafter (?:creating|launching|starting|provisioning) (?:the |your |an? |[1-9]\d* )?${ONE_KIND}`,
    // Whatever else became of it: `pod paused`, `your contract 17 has crashed`.
    String.raw`(?<!\b(?:no|not|any|other|many|more|of|per|zero|0|when|if|until|before|unless|once) )${ITS}(?: (?=\S*\d)[\w-]+)?(?: (?:is|was|were|are|has|have|had|been|being|be|now|already|just|also|got|then)){0,4} (?!${NOT_OF_ONE})(?:\w{3,}ed|came|went|run|kept|held|gone|lost|left|built)\b`,
    String.raw`(?<!\b(?:not|never|nobody|no|to|be|being)\b[^.;]{0,20})\b(?:accepted|took|received|started|began|queued|scheduled) (?:the|your|this|our) (?:\w+ )?${ORDER}\b`,
    String.raw`\bwe(?: have|'ve)?(?: already)? ${MADE}\b`,
    String.raw`\b(?:for|on|to|from|with) (?:the |your |an? )?(?:running|started|created|launched|newly created|existing) ${ONE_KIND}\b`,
    // Something was waited for, or done, there.
    String.raw`\bwaiting for (?:the |your |an? )?(?:\w+ )?${MACHINE}(?! (?:to be(?:come)? (?:available|free)|quotas?|limits?)\b)|\bpolling\b[^.;]{0,40}\bfail`,
    String.raw`\b(?:install|configur|attach|mount|inject|execut|appl|assign)\w*\b[^.;]{0,30}\b(?:on|to|into) (?:your|the) (?:new )?${MACHINE}|\binjection failed\b`,
    String.raw`\b${MACHINE} (?:boot|setup|startup|initiali[sz]ation|configuration) (?:has |have )?(?:failed|timed|error)`,
    // It has a state, or an image that was fetched for it.
    String.raw`\b${ONE_KIND} (?:is )?(?:up|running|live|online)(?= (?:but|and)\b|[,;.])|\b(?:your|the) ${MACHINE} (?:is|are) being (?:prepared|set up|created|configured|provisioned|started|installed)\b`,
    String.raw`(?<!\b(?:no|other|any) )${ONE_KIND}${CALLED} (?:is|was|went|ended up|was left|left|remains?|stays?|stayed|got) (?:still |now |currently )?${STATE}`,
    String.raw`\b(?:the|your|its) (?:\w+ )?${ONE_KIND}s (?:are|were) (?:still |now |currently )?${STATE}`,
    String.raw`\b(?:failed|unable|error|could not) (?:to )?(?:be )?pull(?:ed|ing)?\b|\bpull(?:ing)?\b[^.;]{0,40}\b(?:failed|error)`,
    // A container runs on what was made for it.
    String.raw`\b(?:failed|unable|could not) (?:to )?(?:start|create|run) (?:the |your |a )?container\b|\bcontainer (?:\S+ )?(?:failed|exited|crashed|stopped|died)\b|\bOCI runtime\b`,
    // It is named.
    String.raw`\b${ONE_KIND}(?: with)?(?: id)?:? ${NAME}`,
    // It is taken back, or could not be.
    String.raw`\b${ONE_KIND}(?: \S+)? (?:will be|is being|was|has been) (?:stopped|terminated|deleted|removed|destroyed|cleaned up|released|cancell?ed|killed|evicted)`,
    String.raw`\b(?:roll(?:ing|ed)?[ -]?back|clean-?up) (?:failed|could|did|timed|is|was|in)\b|\b(?:failed|unable|attempting|trying|going) to (?:clean up|roll back|delete|terminate|destroy|remove|release)\b|[,;:.] (?:deleting|terminating|destroying|removing|releasing|cleaning up|rolling back)\b|\borphan|\bleft (?:behind|over)\b`,
    String.raw`\b(?:${MACHINE}|${ORDER}\b)[^.;]{0,40}\b${WAS} (?:stopped|paused|suspended|terminated|deleted|rolled back|reverted|undone)`,
    String.raw`\b${MACHINE}(?: \S+)? failed to (?:start|boot|come up)`,
    // It may have gone through.
    String.raw`\b${THING} (?:may|might|could) (?:still |already )?(?:have (?!exceeded|reached|hit)\w+|succeed|complete|go through)\b`,
    String.raw`\b(?:unable to|could not|cannot|can't|failed to) (?:determine|confirm|tell|find out)\b[^.;]{0,20}\b(?:whether|if|status|state|outcome|result)\b`,
    String.raw`\b(?:request|order)[ -]?id\b[^.;]{0,20}\b(?:used|reused|seen)\b`,
    // It goes on.
    String.raw`\b${THING}\b[^.;]{0,40}\bin progress|\b(?:already|still|currently) in progress`,
    String.raw`\b${ORDER} (?:\S+ )?is (?:still )?(?:pending|queued|processing|running)`,
    String.raw`\b(?:change|start|restart|launch|boot|creation|deployment)\b[^.;]{0,20}\bqueued\b`,
    String.raw`\bpending (?:event|operation|request|order)`,
    // It cannot be read back yet.
    String.raw`\b${MACHINE}(?: \S+)? (?:was |is |could )?not (?:be )?found`,
  ].join('|'),
  'i',
)
const DENIED = new RegExp(
  String.raw`\b(?:no|none of the|neither)(?: (?!(?:is|are|was|were|has|have)\b)\S+){0,3} ${THING}s?\b[^.;]{0,20}\b${WAS} `,
  'gi',
)

/** What is said of an order that went through before, that was carried out in part, or that goes on. */
export function saysMade(text: string): boolean {
  return SAID.test(text.replaceAll(DENIED, ' '))
}

const ONE = String.raw`(?:instance|pod|droplet|vm|contract|deployment|launch)\b(?! (?:types?|templates?|names?|images?|sizes?|specs?|groups?|profiles?|limits?)\b)(?!:\w)`
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
/** `your pod could not be created`, `failed to create the pod`: with what it is said of. */
const NOT_MADE = new RegExp(
  String.raw`(?:\b(?:the|your|this|that|an?) (?:\w+ ){0,2}${ONE}(?: \S+)? )?\b(?:could not|cannot|can't|was not|were not|unable to|failed to|did not) (?:be )?${MADE.replace(')', '|create|launch|provision|deploy)')}(?: (?:(?:the|your|this|that|an?|new) ){0,2}(?:\w+ ){0,2}${ONE}(?: [\w-]+)?)?`,
  'gi',
)

/** A text that nobody knows and that speaks of a machine as of one that is there: nobody can rule out that it is ours. */
export function speaksOfOne(text: string): boolean {
  return SPOKEN.test(text.replaceAll(NOT_MADE, ' '))
}

/** Something broke behind the API while it carried out the order, whatever status and code it has for that. */
export function saysBroken(text: string): boolean {
  return /timed? ?out|deadline exceeded|(?:connection (?:reset|closed|aborted|lost)|lost (?:the )?connection)|interrupted|broken pipe|unexpected (?:\w+ )?(?:eof|error|failure|response)|\b(?:invalid|malformed|empty) (?:\w+ )?response\b|\bpars\w+\b[^.;]{0,20}\bresponse\b|\bbad gateway\b|\bdeadlock\b|\bdatabase\b|upstream|internal (?:server )?error|something went wrong|unknown error|\b(?:no|without an?) (?:response|reply|answer)\b|\bdid(?: not|n't) (?:respond|reply|answer)\b|\btook too long\b/i.test(
    text,
  )
}

const DEPTH_MOST = 3
const NAMES = /^(?:(?:instance|pod|droplet|contract|server|vm|deployment|order|rental)_?ids?|new_?contract)$/i
/** `pod`, `instances`, and the calls of a graph, such as `podFindAndDeployOnDemand`; `instance_type` is none. */
const MACHINES =
  /^(?:(?:instance|pod|droplet|contract|server|vm|deployment|order|rental|data|result)s?|(?:pod|instance)(?!_?(?:type|template|name|image|size|spec|group|profile|limit))\w+)$/i

/** Whether a reply names something that an order may have made, beside whatever it says. A name that is its code is none. */
export function namesMade(value: unknown, code: string | undefined): boolean {
  return namesIn(value, code, DEPTH_MOST) || (isObject(value) && hasId(value, code))
}

function namesIn(value: unknown, code: string | undefined, depth: number): boolean {
  if (!isObject(value) || depth === 0) return false
  return Object.entries(value).some(([key, inner]) => {
    if (NAMES.test(key)) return isName(inner)
    if (MACHINES.test(key) && (isId(inner) || machinesIn(inner).some((each) => hasId(each, code)))) return true
    return namesIn(inner, code, depth - 1)
  })
}

function machinesIn(value: unknown): readonly object[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

const ID = new RegExp(`^${NAME}`, 'i')

/** `instances: ['0920582c7ff0']`, and not `instance: 'gpu_1x_a10'`. */
function isId(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isId) : typeof value === 'string' && ID.test(value)
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
