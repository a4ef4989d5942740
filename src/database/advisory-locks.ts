/**
 * The numbers of all advisory locks. PostgreSQL has one set of them for each database, so that two things
 * that lock the same number would wait for each other. A lock keeps its number: versions of the service run beside
 * each other.
 */
export const ADVISORY_LOCKS = {
  /** That of `prisma migrate`, so that it and the service's own migrations never run at once. */
  migrations: 72_707_369,
  mailPermits: 7_262_004,
  trashPurge: 7_263_514,
  changesPurge: 7_263_515,
  auditPurge: 7_263_516,
  keysPurge: 7_263_517,
  versionsPurge: 7_263_518,
  sentMailsPurge: 7_263_519,
  statistics: 7_263_520,
} as const;
