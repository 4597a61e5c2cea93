import { beforeEach, expect, test } from 'vitest'
import { BodyBudget, bodyBudgetBytes } from './body-budget.ts'

const megabyte = 1_048_576
let budget: BodyBudget
beforeEach(() => {
  budget = new BodyBudget()
})

test('a stranger has one megabyte in all requests of an address', () => {
  const first = budget.open('192.0.2.1', true)
  expect(first.take(megabyte - 100)).toBeUndefined()
  const second = budget.open('192.0.2.1', true)
  expect(second.take(101)).toBe('TOO_MUCH_AT_ONCE')
  expect(second.take(100)).toBeUndefined()
  expect(budget.open('192.0.2.2', true).take(megabyte)).toBeUndefined()
})

test('a stranger with a /48 of IPv6 gets no more than one with an address', () => {
  for (let network = 0; network < 16; network++) {
    const share = budget.open(`2001:db8:1:${network.toString(16)}::5`, true)
    expect(share.take(megabyte / 16)).toBeUndefined()
  }
  expect(budget.open('2001:db8:1:ff::5', true).take(1)).toBe('TOO_MUCH_AT_ONCE')
  expect(budget.open('2001:db8:2::5', true).take(1)).toBeUndefined()
})

test('strangers together leave most of the room to signed-in callers', () => {
  for (let place = 0; place < 16; place++)
    expect(budget.open(`192.0.2.${place}`, true).take(megabyte)).toBeUndefined()
  expect(budget.open('192.0.2.200', true).take(1)).toBe('503')
  expect(budget.open('192.0.2.200', false).take(megabyte)).toBeUndefined()
  // A stranger's address uses up nothing of a person behind it.
  expect(budget.open('192.0.2.1', false).take(megabyte)).toBeUndefined()
})

test('an address and all of them have an end', () => {
  for (let place = 0; place < 8; place++) {
    const share = budget.open(`192.0.2.${place}`, false)
    expect(share.take(bodyBudgetBytes.ofAddress)).toBeUndefined()
    expect(share.take(1)).toBe('TOO_MUCH_AT_ONCE')
  }
  expect(budget.bytes).toBe(bodyBudgetBytes.total)
  expect(budget.open('192.0.2.200', false).take(1)).toBe('503')
})

test('released room is available to the next request', () => {
  const shares = [true, false].map((isStranger) => budget.open('192.0.2.1', isStranger))
  for (const share of shares) {
    share.take(megabyte)
    share.release()
    share.release()
  }
  expect(budget.bytes).toBe(0)
  expect(budget.open('192.0.2.1', true).take(megabyte)).toBeUndefined()
  expect(budget.open('192.0.2.1', false).take(7 * megabyte)).toBeUndefined()
})
