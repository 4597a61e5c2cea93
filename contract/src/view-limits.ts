/**
 * Limits of saved views and of annotations, apart from those that the pages before a session need
 * (rules/data-centre.md: saved views).
 */
export const viewLimits = {
  /** Views of a person, and of an enterprise. */
  viewsPerSpace: 200,
  viewNameMax: 30,
  /** The longest span of a view, and the greatest distance of a comparison. */
  lengthMsMax: 400 * 86_400_000,
  annotationTextMax: 200,
  /** Former texts of one annotation that are kept: the latest ones. */
  versionsPerAnnotation: 20,
  /** Devices that one annotation is on. */
  machinesPerAnnotation: 20,
  /** On one device: the next one is refused until others are deleted. */
  annotationsPerMachine: 2_000,
  /** Limit of one answer: the newest ones. */
  annotationsPerList: 500,
} as const
