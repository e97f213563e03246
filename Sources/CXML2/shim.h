/* Debian's libxml2 converts encodings with ICU and says so in a structure that nothing here uses. Its headers clash with
   the ICU in Foundation. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
