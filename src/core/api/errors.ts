import type { ErrorDoc } from '../error-doc.ts'

/** What the API answers, and what its client finds on the way to it. `status` is the one that HTTP has for it. */
export const API_ERRORS = {
  CONTROL_PLANE_UNREACHABLE: {
    status: 503,
    title: 'control plane cannot be reached',
    why: 'Nothing answered at the address of the control plane, or the connection broke and could not be made again.',
    fix: 'Start one with `berth up`, or check `--url`, BERTH_URL and the network between here and there. What runs goes on running.',
  },
  CONTROL_PLANE_FAILED: {
    status: 500,
    title: 'control plane failed',
    why: 'The control plane met a bug of its own, or its store did not answer. A change may or may not have been made.',
    fix: 'Ask again: a change that carries its idempotency key is made once. The log of the control plane has the request id.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'no valid token',
    why: 'The request carried no token, or one that is unknown, revoked or expired.',
    fix: 'Give a token with `--token-file` or BERTH_TOKEN; an admin makes one with `berth token create NAME`.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'not allowed',
    why: 'The token is valid, but its role or its projects do not include this.',
    fix: 'Ask an admin for a token with the role and the project that the message names.',
  },
  HOST_REFUSED: {
    status: 421,
    title: 'unknown host name',
    why: 'The Host header names a host that this control plane does not answer for; a page in a browser could be behind it.',
    fix: 'Use the address that `berth up` printed, or allow the name with `--host NAME`.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'no such object',
    why: 'There is no object of this name in this project.',
    fix: 'Check the name and `--project`; `berth ps` lists what there is.',
  },
  ROUTE_UNKNOWN: {
    status: 404,
    title: 'no such address in the API',
    why: 'The API has no route with this path and method.',
    fix: '/v1/openapi.json lists them all; a client that is newer than the control plane may know more than it does.',
  },
  REQUEST_MALFORMED: {
    status: 400,
    title: 'request cannot be understood',
    why: 'The body is not JSON, or a field, a parameter or a header has the wrong form.',
    fix: 'The problems name each field; /v1/openapi.json has the forms.',
  },
  REQUEST_REFUSED: {
    status: 422,
    title: 'request refused',
    why: 'The control plane refused the request for a reason that this program does not know: it is newer.',
    fix: 'The message says what it is; a newer program says it better.',
  },
  REQUEST_TOO_LARGE: {
    status: 413,
    title: 'request too large',
    why: 'Bodies are limited, and a manifest to 256 KB.',
    fix: 'Models and data belong in storage, scripts in the image.',
  },
  MEDIA_TYPE_WRONG: {
    status: 415,
    title: 'body is not JSON',
    why: 'The API takes bodies of the type application/json.',
    fix: 'Send the header Content-Type: application/json.',
  },
  METHOD_WRONG: {
    status: 405,
    title: 'method not allowed here',
    why: 'There is an object at this address, but it does not know this method.',
    fix: 'The Allow header of the answer names the methods that it knows.',
  },
  KEY_REUSED: {
    status: 422,
    title: 'idempotency key used twice',
    why: 'This idempotency key came before, with another request. Answering it would hide one of the two.',
    fix: 'Use a new key for each new request, and the same only to repeat one.',
  },
  VERSION_STALE: {
    status: 412,
    title: 'changed by somebody else',
    why: 'The request named the version that it was made for, and the object has another one by now.',
    fix: 'Read it again and decide anew.',
  },
  CHANGED_MEANWHILE: {
    status: 409,
    title: 'too many changes at once',
    why: 'Others changed the object each time that this change was about to be written; after some tries it was given up.',
    fix: 'Nothing was changed. Ask again.',
  },
  WORKLOAD_LEAVING: {
    status: 409,
    title: 'workload is being removed',
    why: 'A workload of this name is on its way out; its name is free once everything of it has stopped.',
    fix: 'Wait until `berth ps` no longer lists it, or choose another name.',
  },
  WORKLOADS_OVER_QUOTA: {
    status: 409,
    title: 'too many workloads in the project',
    why: 'The project has a limit on the number of its workloads, and it is reached.',
    fix: 'Remove one with `berth rm`, or ask the platform team for a higher limit.',
  },
  SECRETS_TOO_LARGE: {
    status: 422,
    title: 'more secrets than a program can be given',
    why: 'Secrets reach a program as environment variables, and a system hands over only so much of them.',
    fix: 'Keep large values (keys of models, bundles of certificates) in storage, and only the way to them in a secret.',
  },
  SCALE_IMPOSSIBLE: {
    status: 422,
    title: 'cannot be scaled like this',
    why: 'The workload has no such role, its manifest says how many there are (as for jobs and gangs), or it would have more slots than a workload may have.',
    fix: 'Name a role of the workload with `--role`, or change the manifest and apply it.',
  },
  LOGS_MISSING: {
    status: 409,
    title: 'no logs to show',
    why: 'No slot of the workload has a place yet, or its provider keeps no logs.',
    fix: 'Look at `berth events NAME`; the logs are there once a slot has started.',
  },
  TOKEN_EXISTS: {
    status: 409,
    title: 'token name is taken',
    why: 'There is a token of this name already, and a token is never shown twice.',
    fix: 'Choose another name, or remove the old one first with `berth token rm NAME`.',
  },
  TOKEN_LAST: {
    title: 'the last administrator',
    why: 'Without a token of an administrator nobody could make another one, and nobody could get in any more.',
    fix: 'Make another token with the role admin for all projects, then remove this one.',
    status: 409,
  },
  STREAMS_FULL: {
    status: 503,
    title: 'too many open streams',
    why: 'The control plane keeps a limited number of streams open, and all are taken.',
    fix: 'Close a `-f` command that nobody watches, or ask without following.',
  },
} as const satisfies Record<string, ErrorDoc & { readonly status: number }>
