#ifndef DD_CLINUX_H
#define DD_CLINUX_H
#endif
