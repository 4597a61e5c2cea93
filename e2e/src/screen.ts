import type { Size, View } from './view.ts'
import type { VisitScene } from './visit-scene.ts'

/** A screen, and the steps that open it. */
export interface Screen {
  readonly name: string
  /** The account of the screen: a demo person, an operator, or any. */
  readonly signedIn: boolean | 'operator'
  readonly sizes?: readonly Size[]
  /** In place of the size's own. */
  readonly viewport?: { readonly width: number; readonly height: number }
  /** `scene` is missing for the pictures of the README. */
  arrive(view: View, scene: VisitScene | undefined): Promise<void>
}
