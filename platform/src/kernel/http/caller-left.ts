import type { ServerResponse } from 'node:http'

/** A signal that is aborted when the connection of a call closes before its answer was sent. */
export function whenCallerLeaves(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const leave = () => {
    if (!response.writableFinished) controller.abort()
  }
  if (response.destroyed) leave()
  else response.once('close', leave)
  return controller.signal
}
