import { expect, test } from 'vitest'
import { accentContrast, accentFaults, accentTones, contrast, isColour } from './accent.ts'

test('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('leaves a colour that can be read as it is', () => {
  expect(accentTones('#1e49c4', 'light').accent).toBe('#1e49c4')
})

test('brings unreadable colours to a readable one', () => {
  const channels = Array.from({ length: 12 }, (_, step) => step * 23)
  const colours = channels.flatMap((red) =>
    channels.flatMap((green) => channels.map((blue) => toHex(red, green, blue))),
  )
  expect(colours.filter((colour) => accentFaults(colour).length > 0)).toEqual([])
  expect(accentContrast('#ffff00', 'light')).toBeGreaterThan(4.5)
})

const toHex = (...channels: number[]) =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

test.each([
  ['#2A5BE0', true],
  ['#2a5be', false],
  ['red', false],
  ['#2a5be0;x', false],
])('%s is a colour: %s', (text, is) => {
  expect(isColour(text)).toBe(is)
})
