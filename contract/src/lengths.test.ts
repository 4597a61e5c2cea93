import { expect, test } from 'vitest'
import {
  access,
  cutToWidth,
  enterprises,
  hasMarkup,
  limits,
  machineName,
  machines,
  registration,
  remark,
  textWidth,
} from './index.ts'

test.each([
  ['Christopher Johnson', 9.5],
  ['注塑机', 3],
  ['3#泵 (东)', 4.5],
  ['ﾎﾟﾝﾌﾟ', 1.5],
  ['ポンプ', 3],
  ['펌프', 2],
  ['Ａ１', 2],
  ['👩‍👩‍👧', 1],
  ['🇨🇳', 1],
  ['1️⃣', 1],
  ['é', 0.5],
  ['насос', 2.5],
  ['', 0],
])('%j is %d wide', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test('a name of 19 narrow characters is one, and of 11 wide ones is not', () => {
  const { request } = registration.updateUserName
  expect(request.safeParse({ name: 'Christopher Johnson' }).success).toBe(true)
  expect(request.safeParse({ name: '王'.repeat(11) }).success).toBe(false)
  // The least length counts characters: two narrow ones are a name.
  expect(request.safeParse({ name: 'Al' }).success).toBe(true)
  expect(request.safeParse({ name: 'A' }).success).toBe(false)
})

test('a text is cut between characters, where it is as wide as it may be', () => {
  expect(cutToWidth('注塑机abc', 4)).toBe('注塑机ab')
  expect(cutToWidth('a👩‍👩‍👧', 1)).toBe('a')
})

test.each(['3#泵 (东)', '5-axis centre #03', 'M@one', 'a;b/c=1'])(
  '%j is a machine’s name and a remark',
  (text) => {
    expect(machineName.parse(text)).toBe(text)
    expect(remark.parse(cutToWidth(text, limits.remarkMax))).toBeTruthy()
  },
)

test.each(['a<b', 'a>b', 'a"b', "a'b", 'a\\b', 'a`b', 'a\u0007b', 'a\u202eb'])('%j is neither', (text) => {
  expect(machineName.safeParse(text).success).toBe(false)
  expect(remark.safeParse(text).success).toBe(false)
})

test('a machine’s name has one rule everywhere', () => {
  const names = [
    machines.addMachine.request.shape.machineName,
    access.updateMachineInfo.request.shape.machineName,
    enterprises.addEnterpriseMachine.request.shape.name,
    enterprises.updateEnterpriseMachine.request.shape.name,
  ]
  const texts = [
    '3#泵 (东)',
    'Press <1>',
    '机'.repeat(20),
    '机'.repeat(21),
    'x'.repeat(40),
    'x'.repeat(41),
    '',
    ' ',
    'a\u202eb',
  ]
  for (const name of names) {
    for (const text of texts) expect(name.safeParse(text).success).toBe(machineName.safeParse(text).success)
  }
  // A name stored before the rule may be sent back: the platform compares, and refuses other names by the error of names.
  const update = machines.updateMachine.request.shape.updateMachineName
  for (const text of texts.filter((each) => !hasMarkup(each)))
    expect(update.safeParse(text).success).toBe(machineName.safeParse(text).success)
})
