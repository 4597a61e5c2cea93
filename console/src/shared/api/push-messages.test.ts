import { Scene } from '@busbar/contract/push'
import { expect, it } from 'vitest'
import { Emitter } from './emitter.ts'
import { type PushMessages, readMessage } from './push-messages.ts'

const notShown: readonly Scene[] = [Scene.QR_LOGIN]
/** The state of a write and the source of a place are never empty. */
const withoutEmptyBody: readonly Scene[] = [Scene.WRITE_RESULT, Scene.PLACE_CHANGE]

it('reads each scene of the protocol that the console shows', () => {
  const unread = Object.entries(Scene)
    .filter(([, scene]) => !notShown.includes(scene) && !withoutEmptyBody.includes(scene))
    .filter(([, scene]) => readMessage(scene, new Uint8Array()) === undefined)
  expect(unread.map(([name]) => name)).toEqual([])
})

it('calls the listeners of one name only, in their order, until they leave', () => {
  const events = new Emitter<PushMessages>()
  const heard: string[] = []
  const leave = events.on('spaces', () => heard.push('first'))
  events.on('spaces', () => heard.push('second'))
  events.on('heartbeat', () => heard.push('heartbeat'))
  readMessage(Scene.SPACE_CHANGE, new Uint8Array())?.(events)
  leave()
  leave()
  readMessage(Scene.SPACE_CHANGE, new Uint8Array())?.(events)
  expect(heard).toEqual(['first', 'second', 'second'])
})
