import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { readCities } from './map-cities.ts'

const cities = readFileSync(new URL('cities.gen.txt', import.meta.url), 'utf8')
const sent = vi.fn<typeof fetch>()
vi.stubGlobal('fetch', sent)
afterEach(() => {
  sent.mockReset()
})

test('a page that a gateway answered in place of the cities left every later map without names', async () => {
  for (const page of ['<!doctype html><title>Sign in</title>', '{"hwcode":0,"hwdata":[]}', '']) {
    sent.mockResolvedValueOnce(new Response(page))
    await expect(readCities(), page).rejects.toThrow('no list of cities')
  }
  sent.mockResolvedValueOnce(new Response('gone', { status: 404 }))
  await expect(readCities()).rejects.toThrow('404')

  sent.mockResolvedValueOnce(new Response(cities))
  const read = await readCities()
  expect(read).toHaveLength(1000)
  expect(read[0]).toMatchObject({ en: 'Shanghai', cn: '上海', lat: 31.23, lng: 121.47 })
  expect(await readCities()).toBe(read)
  expect(sent).toHaveBeenCalledTimes(5)
})
