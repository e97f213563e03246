// Brings what pkg-config says of GMime to CMail, which includes its headers.
