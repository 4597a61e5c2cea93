import type { Screen } from './screen.ts'
import type { View } from './view.ts'
import type { SceneMachine, VisitScene } from './visit-scene.ts'

/** Opens a screen of the scene, with the machine of the viewer. */
export type Arrive = (view: View, machine: SceneMachine, scene: VisitScene) => Promise<void>

/** A screen that needs the scene. */
export function sceneScreen(name: string, arrive: Arrive, options: Partial<Screen> = {}): Screen {
  return {
    name,
    signedIn: true,
    arrive(view, scene) {
      if (!scene) throw new Error('there is nothing to enter')
      return arrive(view, scene.machines[view.lang], scene)
    },
    ...options,
  }
}
