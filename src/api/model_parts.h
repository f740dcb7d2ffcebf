#pragma once

#include "flaim/model.h"
#include "model/file/model_file.h"

namespace flaim::api {

struct Model::Parts {
  ModelFile file;
};

}  // namespace flaim::api
