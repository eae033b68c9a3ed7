// A file of an archive that cannot be loaded, or is not of the format that its user says.

export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault'
  /** As its user named it. */
  readonly file: string

  constructor(file: string, why: string) {
    super(`${file} ${why}`)
    this.file = file
  }
}
