// Constants that the build fills in.
/** Version of the package. */
declare const WF_VERSION: string;
/** Absolute path of the `dist` folder. */
declare const WF_DIST: string;
