import { expect, test } from 'vitest'
import { errors } from '../errors.ts'

/** These names of things hold “machine”; the thing itself is a device to the people who read. */
const namesOfThings = /machine (code|password|secret|type)s?/gi

test('an English error calls the thing a device, as the console does', () => {
  const texts = Object.values(errors).map(({ text }) => text.en)
  expect(texts.filter((text) => /machine/i.test(text.replaceAll(namesOfThings, '')))).toEqual([])
})
