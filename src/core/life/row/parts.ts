import * as z from 'zod'

// What several kinds of rows have in common. JSON knows neither undefined nor infinity: the one is left out, the other
// was written as null.

export const text = z.string()
export const texts = z.array(text)
export const flag = z.boolean()
export const number = z.number()
export const textByName = z.record(text, text)
export const numberByName = z.record(text, number)
