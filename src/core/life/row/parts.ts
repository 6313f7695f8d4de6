import * as z from 'zod'

// Schemas that several kinds of rows share. JSON has neither undefined nor infinity: undefined is left out, and infinity
// is written as null.

export const text = z.string()
export const texts = z.array(text)
export const flag = z.boolean()
export const number = z.number()
export const textByName = z.record(text, text)
export const numberByName = z.record(text, number)
